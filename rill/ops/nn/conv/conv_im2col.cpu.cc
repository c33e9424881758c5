#include "rill/ops/nn/conv/conv_im2col.h"

#include "rill/kernel/fast_paths.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {
namespace {

constexpr std::int64_t kFewPositions = 128, kLargeIm2colFilter = 512 << 10;
constexpr std::int64_t kLargeIm2colSum = 128 << 10;  // elements: adding parts takes long

// Calls move(position among all images, row) for each patch; different images on several threads.
template <class Move>
void for_patches(const KernelCall& call, const ConvProblem& p, float* rows, Move move) {
  const std::int64_t per_image = p.positions();
  const double nanos = 0.2 * static_cast<double>(per_image * p.patch_size());
  call.parallel_for(
      static_cast<std::size_t>(p.batch), nanos, [&](std::size_t begin, std::size_t end) {
        for (auto n = static_cast<std::int64_t>(begin); n < static_cast<std::int64_t>(end); ++n)
          for (std::int64_t i = 0; i < per_image; ++i)
            move(n, i, rows + (n * per_image + i) * p.patch_size());
      });
}

}  // namespace

bool has_few_positions(const ConvProblem& p) {
  return p.batch * p.positions() <= kFewPositions &&
         p.patch_size() * p.out_channels >= kLargeIm2colFilter && takes(FastPath::kConvIm2col);
}

bool is_plain_product(ConvWork work, const ConvProblem& p) {
  return work == ConvWork::kToFilter && p.is_pointwise() &&
         p.in_channels * p.out_channels >= kLargeIm2colSum && takes(FastPath::kConvProduct);
}

void conv_im2col(const KernelCall& call, ConvWork work, const ConvProblem& p, float* images,
                 float* filter, float* results) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const Patches<float> patches(p);
  const std::int64_t positions = p.batch * p.positions(), size = p.patch_size();
  const bool direct = p.is_pointwise();
  const Tensor gathered(DType::f32, {direct ? 0 : positions * size},
                        call.device().allocator(MemoryKind::host));
  float* const rows = direct ? images : gathered.data<float>();
  if (!direct && work != ConvWork::kToImages)
    for_patches(call, p, rows, [&](std::int64_t n, std::int64_t i, float* row) {
      patches.take(images + n * p.image_size(), i, row);
    });
  switch (work) {
    case ConvWork::kForward:
      return multiply(
          call,
          {.m = positions, .n = p.out_channels, .k = size, .a = rows, .b = filter, .c = results});
    case ConvWork::kToFilter:
      return multiply(call, {.m = size,
                             .n = p.out_channels,
                             .k = positions,
                             .a = rows,
                             .b = results,
                             .c = filter,
                             .transpose_a = true});
    case ConvWork::kToImages:
      multiply(call, {.m = positions,
                      .n = size,
                      .k = p.out_channels,
                      .a = results,
                      .b = filter,
                      .c = rows,
                      .transpose_b = true});
  }
  if (direct) return;
  std::fill_n(images, p.batch * p.image_size(), 0.0f);
  for_patches(call, p, rows, [&](std::int64_t n, std::int64_t i, float* row) {
    patches.add(images + n * p.image_size(), i, row);
  });
}

}  // namespace rill
