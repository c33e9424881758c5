#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/channels/widened.h"
#include "rill/ops/nn/norm/lrn_rows.h"

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

// Calls body(room, first, count) for pixels that go together; each channel costs a visit of its
// neighbours.
template <class Body>
void over_pixels(const KernelCall& call, const Tensor& x, const ResponseNorm& norm, Body body) {
  if (x.element_count() == 0) return;
  const auto n = static_cast<std::size_t>(x.dim(3));
  const double cost =
      static_cast<double>(n) * (1 + 0.05 * static_cast<double>(2 * norm.radius + 1));
  const LrnRoom room(n, norm.radius);
  call.parallel_for(static_cast<std::size_t>(x.element_count()) / n, cost,
                    [&](std::size_t first, std::size_t end) {
                      std::vector<float> scratch(room.size());
                      for (; first < end; first += room.pixels)
                        body(room, scratch.data(), first, std::min(room.pixels, end - first));
                    });
}

template <class T>
void lrn(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  const auto n = static_cast<std::size_t>(x.dim(3));
  const ResponseNorm norm = norm_of(call.node(), n);
  over_pixels(call, x, norm,
              [&](const LrnRoom& room, float* scratch, std::size_t first, std::size_t pixels) {
                const std::size_t count = pixels * n;
                thread_local std::vector<float> wide_x, wide_y;
                if (!std::is_same_v<T, float>) wide_x.resize(count), wide_y.resize(count);
                T* out = y.data<T>() + first * n;
                const float* from = widened(x.data<T>() + first * n, wide_x.data(), count);
                float* to = wide_y.data();
                if constexpr (std::is_same_v<T, float>) to = out;
                lrn_rows().normalize(to, from, pixels, n, norm, room, scratch);
                narrow_into(out, to, count);
              });
}

template <class T>
void lrn_grad(KernelCall& call) {
  const Tensor &dy = call.input_tensor(0), &x = call.input_tensor(1), &y = call.input_tensor(2);
  const Tensor& dx = call.output_tensor(0);
  const auto n = static_cast<std::size_t>(x.dim(3));
  const ResponseNorm norm = norm_of(call.node(), n);
  over_pixels(call, x, norm,
              [&](const LrnRoom& room, float* scratch, std::size_t first, std::size_t pixels) {
                const std::size_t count = pixels * n;
                thread_local std::vector<float> wide[4];
                if (!std::is_same_v<T, float>)
                  for (auto& part : wide) part.resize(count);
                const auto floats = [&](const Tensor& t, int i) {
                  return widened(t.data<T>() + first * n, wide[i].data(), count);
                };
                T* out = dx.data<T>() + first * n;
                float* to = wide[3].data();
                if constexpr (std::is_same_v<T, float>) to = out;
                lrn_rows().back(to, floats(dy, 0), floats(x, 1), floats(y, 2), pixels, n, norm,
                                room, scratch);
                narrow_into(out, to, count);
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
