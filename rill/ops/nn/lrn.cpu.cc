#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/lrn_rows.h"
#include "rill/ops/nn/widened.h"

namespace rill {

extern const OpDecl kLRN, kLRNGrad;

namespace {

// A radius beyond all channels reaches no more of them.
ResponseNorm norm_of(const KernelNode& node, std::size_t channels) {
  const auto radius = node.attr<std::int64_t>("depth_radius");
  require(radius >= 0 && radius <= std::numeric_limits<int>::max(), "depth_radius = ", radius,
          " is not between 0 and the largest int, ", std::numeric_limits<int>::max());
  return {.radius = std::min(static_cast<std::size_t>(radius), channels),
          .bias = node.attr<float>("bias"),
          .alpha = node.attr<float>("alpha"),
          .beta = node.attr<float>("beta")};
}

// Calls body(first, end) for ranges of pixels; each channel costs a visit of its neighbours.
template <class Body>
void over_pixels(const KernelCall& call, const Tensor& x, const ResponseNorm& norm, Body body) {
  if (x.element_count() == 0) return;
  const auto channels = static_cast<std::size_t>(x.dim(3));
  const double cost =
      static_cast<double>(channels) * (3 + 0.15 * static_cast<double>(2 * norm.radius + 1));
  call.parallel_for(static_cast<std::size_t>(x.element_count()) / channels, cost, body);
}

template <class T>
void lrn(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  const auto n = static_cast<std::size_t>(x.dim(3));
  const ResponseNorm norm = norm_of(call.node(), n);
  over_pixels(call, x, norm, [&](std::size_t first, std::size_t end) {
    std::vector<float> scratch(n + 2 * norm.radius), wide_x(n), wide_y(n);
    for (std::size_t i = first; i < end; ++i) {
      const float* from = widened(x.data<T>() + i * n, wide_x.data(), n);
      float* to = wide_y.data();
      if constexpr (std::is_same_v<T, float>) to = y.data<T>() + i * n;
      lrn_rows().normalize(to, from, n, norm, scratch.data());
      narrow_into(y.data<T>() + i * n, to, n);
    }
  });
}

template <class T>
void lrn_grad(KernelCall& call) {
  const Tensor &dy = call.input_tensor(0), &x = call.input_tensor(1), &y = call.input_tensor(2);
  const Tensor& dx = call.output_tensor(0);
  const auto n = static_cast<std::size_t>(x.dim(3));
  const ResponseNorm norm = norm_of(call.node(), n);
  over_pixels(call, x, norm, [&](std::size_t first, std::size_t end) {
    std::vector<float> scratch(n + 2 * norm.radius), norms(n), wide_dy(n), wide_x(n), wide_y(n),
        wide_dx(n);
    for (std::size_t i = first; i < end; ++i) {
      float* to = wide_dx.data();
      if constexpr (std::is_same_v<T, float>) to = dx.data<T>() + i * n;
      lrn_rows().back(to, widened(dy.data<T>() + i * n, wide_dy.data(), n),
                      widened(x.data<T>() + i * n, wide_x.data(), n),
                      widened(y.data<T>() + i * n, wide_y.data(), n), n, norm, scratch.data(),
                      norms.data());
      narrow_into(dx.data<T>() + i * n, to, n);
    }
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kLRN, .types = DType::f32, .run = lrn<float>},
    {.op = &kLRN, .types = DType::f16, .run = lrn<half>},
    {.op = &kLRN, .types = DType::bf16, .run = lrn<bfloat16>},
    {.op = &kLRNGrad, .types = DType::f32, .run = lrn_grad<float>},
    {.op = &kLRNGrad, .types = DType::f16, .run = lrn_grad<half>},
    {.op = &kLRNGrad, .types = DType::bf16, .run = lrn_grad<bfloat16>},
};

}  // namespace

extern const KernelTable kLrnCpu{kEntries};

}  // namespace rill
