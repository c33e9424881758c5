#include "rill/ops/nn/channels/batch_norm_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/channels/batch_norm_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// Adds up term(position) for each column; four rows at a time, so that sums are stored less often.
template <class T, class Term>
inline void sum_columns(T* sum, std::size_t rows, std::size_t width, Term term) {
  for (std::size_t j = 0; j < width; ++j) sum[j] = 0;
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const std::size_t at = r * width;
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j)
      sum[j] += (term(j, at + j) + term(j, at + width + j)) +
                (term(j, at + 2 * width + j) + term(j, at + 3 * width + j));
  }
  for (; r < rows; ++r) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) sum[j] += term(j, r * width + j);
  }
}

template <class T>
void batch_moments(T* mean, T* squares, const T* x, std::size_t rows, std::size_t width) {
  sum_columns(mean, rows, width, [=](std::size_t, std::size_t i) { return x[i]; });
  const T share = T(1) / static_cast<T>(rows);
  for (std::size_t j = 0; j < width; ++j) mean[j] *= share;
  sum_columns(squares, rows, width, [=](std::size_t j, std::size_t i) {
    const T d = x[i] - mean[j];
    return d * d;
  });
}

template <class T>
void batch_sums(T* sum, T* product, const T* dy, const T* x, const T* mean, std::size_t rows,
                std::size_t width) {
  for (std::size_t j = 0; j < width; ++j) sum[j] = product[j] = 0;
  std::size_t r = 0;
  for (; r + 2 <= rows; r += 2) {
    const T *d = dy + r * width, *v = x + r * width;
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) {
      sum[j] += d[j] + d[width + j];
      product[j] += d[j] * (v[j] - mean[j]) + d[width + j] * (v[width + j] - mean[j]);
    }
  }
  if (r == rows) return;
#pragma GCC ivdep
  for (std::size_t j = 0; j < width; ++j) {
    sum[j] += dy[r * width + j];
    product[j] += dy[r * width + j] * (x[r * width + j] - mean[j]);
  }
}

template <class T>
void batch_normalize(T* y, const T* x, const ColumnScale<T>& by, std::size_t rows,
                     std::size_t width) {
  const T *mean = by.mean, *slope = by.slope, *offset = by.offset;
  for (std::size_t r = 0; r < rows; ++r, y += width, x += width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j) y[j] = (x[j] - mean[j]) * slope[j] + offset[j];
  }
}

template <class T>
void batch_back(T* dx, const T* dy, const T* x, const ColumnScale<T>& by, const T* tilt,
                std::size_t rows, std::size_t width) {
  const T *mean = by.mean, *slope = by.slope, *offset = by.offset;
  for (std::size_t r = 0; r < rows; ++r, dx += width, dy += width, x += width) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j)
      dx[j] = (dy[j] - offset[j] - (x[j] - mean[j]) * tilt[j]) * slope[j];
  }
}

template <class T>
void batch_finish(T* y, const T* side, bool relu, std::size_t n) {
  if (side != nullptr) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] += side[i];
  }
  if (relu)
    for (std::size_t i = 0; i < n; ++i) y[i] = y[i] < T(0) ? T(0) : y[i];
}

template <class T>
BatchNormRows<T> all_batch_norm_rows() {
  return {batch_moments<T>, batch_sums<T>, batch_normalize<T>, batch_back<T>, batch_finish<T>};
}

}  // namespace

BatchNormRows<float> batch_norm_float() { return all_batch_norm_rows<float>(); }
BatchNormRows<double> batch_norm_double() { return all_batch_norm_rows<double>(); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE_FOR(BatchNormRows<float>, batch_norm_rows, batch_norm_float);
RILL_DISPATCH_ONCE_FOR(BatchNormRows<double>, batch_norm_rows, batch_norm_double);

}  // namespace rill
#endif
