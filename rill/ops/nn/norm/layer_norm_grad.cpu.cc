#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/norm/layer_norm_grad_rows.h"

namespace rill {

extern const OpDecl kLayerNormGrad, kSoftmaxGrad;

namespace {

// Each part of the rows has sums of its own, which are added in their order: parts depend on the
// shape alone, so that the sums do.
constexpr std::int64_t kMaxLayerNormParts = 32, kMinPartRows = 16;

void layer_norm_grad(KernelCall& call) {
  const Tensor &dy = call.input_tensor(0), &x = call.input_tensor(1), &dx = call.output_tensor(0);
  const Tensor gamma = call.input_tensor(2);  // output 0 may take it over where there is one row
  const std::int64_t n = gamma.element_count(), rows = n == 0 ? 0 : x.element_count() / n;
  const float epsilon = call.node().attr<float>("epsilon");
  const std::int64_t part_rows =
      std::max(kMinPartRows, (rows + kMaxLayerNormParts - 1) / kMaxLayerNormParts);
  const std::int64_t parts = std::max<std::int64_t>(1, (rows + part_rows - 1) / part_rows);
  const auto width = static_cast<std::size_t>(n);
  // The gradients by gamma and by beta of each part.
  const Tensor sums(DType::f32, {parts, 2 * n}, call.device().allocator(MemoryKind::host));
  call.parallel_for(static_cast<std::size_t>(parts), static_cast<double>(part_rows * n),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto part = static_cast<std::int64_t>(begin);
                           part < static_cast<std::int64_t>(end); ++part) {
                        float* const to_gamma = sums.data<float>() + part * 2 * n;
                        std::fill_n(to_gamma, 2 * n, 0.0f);
                        const std::int64_t first = part * part_rows, at = first * n;
                        const std::int64_t count = std::min(part_rows, rows - first);
                        layer_norm_grad_rows().back(
                            dx.data<float>() + at, to_gamma, to_gamma + n, dy.data<float>() + at,
                            x.data<float>() + at, gamma.data<float>(),
                            static_cast<std::size_t>(count), width, epsilon);
                      }
                    });
  for (std::int64_t part = 1; part < parts; ++part)
    layer_norm_grad_rows().add(sums.data<float>(), sums.data<float>() + part * 2 * n, 2 * width);
  std::copy_n(sums.data<float>(), n, call.output_tensor(1).data<float>());
  std::copy_n(sums.data<float>() + n, n, call.output_tensor(2).data<float>());
}

void softmax_grad(KernelCall& call) {
  const Tensor &dy = call.input_tensor(0), &y = call.input_tensor(1), &dx = call.output_tensor(0);
  if (y.element_count() == 0) return;
  const auto n = static_cast<std::size_t>(y.dim(y.rank() - 1));
  const float scale = call.node().attr<float>("scale");
  call.parallel_for(static_cast<std::size_t>(y.element_count()) / n,
                    10 + 0.5 * static_cast<double>(n), [&](std::size_t begin, std::size_t end) {
                      layer_norm_grad_rows().softmax_back(
                          dx.data<float>() + begin * n, dy.data<float>() + begin * n,
                          y.data<float>() + begin * n, end - begin, n, scale);
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kLayerNormGrad, .types = DType::f32, .run = layer_norm_grad},
    {.op = &kSoftmaxGrad, .types = DType::f32, .run = softmax_grad},
};

}  // namespace

extern const KernelTable kLayerNormGradCpu{kEntries};

}  // namespace rill
