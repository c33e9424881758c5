#include "rill/ops/nn/norm/batch_norm_relu_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/norm/batch_norm_relu_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// Zero times infinity is not a number, as in ReluGrad.
template <bool six>
[[gnu::always_inline]] inline float passed(float dy, float y) {
  const bool passes = six ? (y > 0.0f) & (y < 6.0f) : y > 0.0f;
  return dy * (passes ? 1.0f : 0.0f);
}

// What passes of one element, with its distance from the mean.
struct Passed {
  float gradient, distance;
  float product() const { return gradient * distance; }
};
template <bool six>
[[gnu::always_inline]] inline Passed passed_of(const float* dy, const float* x, std::size_t i,
                                               float mean, float slope, float offset) {
  const float d = x[i] - mean;
  return {passed<six>(dy[i], d * slope + offset), d};
}

// Several rows at a time, so that what belongs to columns is loaded less often.
template <bool six>
void relu_sums(float* sum, float* product, const float* dy, const float* x,
               const ColumnScale<float>& by, std::size_t rows, std::size_t width) {
  const float *mean = by.mean, *slope = by.slope, *offset = by.offset;
  for (std::size_t j = 0; j < width; ++j) sum[j] = product[j] = 0;
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4, dy += 4 * width, x += 4 * width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) {
      const float m = mean[j], s = slope[j], o = offset[j];
      const Passed a = passed_of<six>(dy, x, j, m, s, o),
                   b = passed_of<six>(dy, x, width + j, m, s, o),
                   c = passed_of<six>(dy, x, 2 * width + j, m, s, o),
                   d = passed_of<six>(dy, x, 3 * width + j, m, s, o);
      sum[j] += (a.gradient + b.gradient) + (c.gradient + d.gradient);
      product[j] += (a.product() + b.product()) + (c.product() + d.product());
    }
  }
  for (; r < rows; ++r, dy += width, x += width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) {
      const Passed a = passed_of<six>(dy, x, j, mean[j], slope[j], offset[j]);
      sum[j] += a.gradient;
      product[j] += a.product();
    }
  }
}

template <bool six>
void relu_back(float* dx, const float* dy, const float* x, const ColumnScale<float>& by,
               const float* shift, const float* tilt, std::size_t rows, std::size_t width) {
  const float *mean = by.mean, *slope = by.slope, *offset = by.offset;
  std::size_t r = 0;
  for (; r + 2 <= rows; r += 2, dx += 2 * width, dy += 2 * width, x += 2 * width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) {
      const float m = mean[j], s = slope[j], o = offset[j], down = shift[j], t = tilt[j];
      const Passed a = passed_of<six>(dy, x, j, m, s, o),
                   b = passed_of<six>(dy, x, width + j, m, s, o);
      dx[j] = (a.gradient - down - a.distance * t) * s;
      dx[width + j] = (b.gradient - down - b.distance * t) * s;
    }
  }
  if (r == rows) return;
#pragma GCC ivdep
  for (std::size_t j = 0; j < width; ++j) {
    const Passed a = passed_of<six>(dy, x, j, mean[j], slope[j], offset[j]);
    dx[j] = (a.gradient - shift[j] - a.distance * tilt[j]) * slope[j];
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
