#include "rill/ops/nn/batch_norm_relu_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/batch_norm_relu_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// Zero times infinity is not a number, as in ReluGrad.
template <bool six>
[[gnu::always_inline]] inline float passed(float dy, float y) {
  const bool passes = six ? (y > 0.0f) & (y < 6.0f) : y > 0.0f;
  return dy * (passes ? 1.0f : 0.0f);
}

template <bool six>
void relu_sums(float* sum, float* product, const float* dy, const float* x,
               const ColumnScale<float>& by, std::size_t rows, std::size_t width) {
  const float *mean = by.mean, *slope = by.slope, *offset = by.offset;
  for (std::size_t j = 0; j < width; ++j) sum[j] = product[j] = 0;
  std::size_t r = 0;
  for (; r + 2 <= rows; r += 2, dy += 2 * width, x += 2 * width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) {
      const float d = x[j] - mean[j], e = x[width + j] - mean[j];
      const float p = passed<six>(dy[j], d * slope[j] + offset[j]);
      const float q = passed<six>(dy[width + j], e * slope[j] + offset[j]);
      sum[j] += p + q;
      product[j] += p * d + q * e;
    }
  }
  if (r == rows) return;
#pragma GCC ivdep
  for (std::size_t j = 0; j < width; ++j) {
    const float d = x[j] - mean[j], p = passed<six>(dy[j], d * slope[j] + offset[j]);
    sum[j] += p;
    product[j] += p * d;
  }
}

template <bool six>
void relu_back(float* dx, const float* dy, const float* x, const ColumnScale<float>& by,
               const float* shift, const float* tilt, std::size_t rows, std::size_t width) {
  const float *mean = by.mean, *slope = by.slope, *offset = by.offset;
  for (std::size_t r = 0; r < rows; ++r, dx += width, dy += width, x += width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) {
      const float d = x[j] - mean[j], p = passed<six>(dy[j], d * slope[j] + offset[j]);
      dx[j] = (p - shift[j] - d * tilt[j]) * slope[j];
    }
  }
}

}  // namespace

BatchNormReluRows relu_rows_of_batch_norm() { return {relu_sums<false>, relu_back<false>}; }
BatchNormReluRows relu6_rows_of_batch_norm() { return {relu_sums<true>, relu_back<true>}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(relu_rows_of_batch_norm);
HWY_EXPORT(relu6_rows_of_batch_norm);

const BatchNormReluRows& batch_norm_relu_rows(bool six) {
  static const BatchNormReluRows relu = HWY_DYNAMIC_DISPATCH(relu_rows_of_batch_norm)();
  static const BatchNormReluRows relu6 = HWY_DYNAMIC_DISPATCH(relu6_rows_of_batch_norm)();
  return six ? relu6 : relu;
}

}  // namespace rill
#endif
