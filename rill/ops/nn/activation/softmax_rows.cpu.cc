#include "rill/ops/nn/activation/softmax_rows.h"

#include <cmath>
#include <limits>

#define HWY_TARGET_INCLUDE "rill/ops/nn/activation/softmax_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// Fixed, so that sums have the same order on every machine; enough to hide how long an addition
// takes.
constexpr std::size_t kLanes = 64;

inline float exp_of(float x) { return vector_exp(x); }
inline double exp_of(double x) { return std::exp(x); }

template <class T>
T largest(const T* x, std::size_t n) {
  T lanes[kLanes];
  for (T& lane : lanes) lane = -std::numeric_limits<T>::infinity();
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t j = 0; j < kLanes; ++j) lanes[j] = x[i + j] > lanes[j] ? x[i + j] : lanes[j];
  for (std::size_t j = 0; i + j < n; ++j) lanes[j] = x[i + j] > lanes[j] ? x[i + j] : lanes[j];
  for (std::size_t width = kLanes / 2; width > 0; width /= 2)
    for (std::size_t j = 0; j < width; ++j)
      lanes[j] = lanes[j + width] > lanes[j] ? lanes[j + width] : lanes[j];
  return lanes[0];
}

template <class T>
T sum(const T* x, std::size_t n) {
  T lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t j = 0; j < kLanes; ++j) lanes[j] += x[i + j];
  for (std::size_t j = 0; i + j < n; ++j) lanes[j] += x[i + j];
  for (std::size_t width = kLanes / 2; width > 0; width /= 2)
    for (std::size_t j = 0; j < width; ++j) lanes[j] += lanes[j + width];
  return lanes[0];
}

// out = exp(x - shift); returns the sum. NaN and infinities among the logits reach every element
// through it.
template <class T>
T exponentials(T* out, const T* x, T shift, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) out[i] = exp_of(x[i] - shift);
  return sum(out, n);
}

template <class T>
Normalizer<T> normalize(T* out, const T* x, std::size_t n) {
  const T shift = largest(x, n);
  const T total = exponentials(out, x, shift, n);
  const T scale = T(1) / total;
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) out[i] *= scale;
  return {shift, std::log(total)};
}

constexpr std::size_t kShortRow = 64;

constexpr std::size_t kMaxTogether = 1024;

inline float log_of(float x) { return vector_log(x); }
inline double log_of(double x) { return std::log(x); }

// Short rows share one pass of exponentials, which then fills whole vectors. `found` may be
// nullptr; with it there are no more than kMaxTogether rows.
template <class T>
void short_softmax(T* out, Normalizer<T>* found, const T* x, std::size_t rows, std::size_t n) {
  for (std::size_t i = 0; i < rows; ++i) {
    T shift = x[i * n];
    for (std::size_t j = 1; j < n; ++j) shift = x[i * n + j] > shift ? x[i * n + j] : shift;
    for (std::size_t j = 0; j < n; ++j) out[i * n + j] = x[i * n + j] - shift;
    if (found != nullptr) found[i].shift = shift;
  }
#pragma GCC ivdep
  for (std::size_t i = 0; i < rows * n; ++i) out[i] = exp_of(out[i]);
  T totals[kMaxTogether];
  for (std::size_t i = 0; i < rows; ++i) {
    T total = 0;
    for (std::size_t j = 0; j < n; ++j) total += out[i * n + j];
    const T scale = T(1) / total;
    for (std::size_t j = 0; j < n; ++j) out[i * n + j] *= scale;
    totals[i] = total;
  }
  if (found == nullptr) return;
#pragma GCC ivdep
  for (std::size_t i = 0; i < rows; ++i) totals[i] = log_of(totals[i]);
  for (std::size_t i = 0; i < rows; ++i) found[i].log_sum = totals[i];
}

template <class T>
void softmax(T* out, const T* x, std::size_t rows, std::size_t n) {
  if (n > kShortRow) {
    for (std::size_t i = 0; i < rows; ++i) normalize(out + i * n, x + i * n, n);
    return;
  }
  const std::size_t together = kMaxTogether / n;
  for (std::size_t i = 0; i < rows; i += together)
    short_softmax<T>(out + i * n, nullptr, x + i * n, rows - i < together ? rows - i : together, n);
}

template <class T>
void normalize_rows(T* out, Normalizer<T>* found, const T* x, std::size_t rows, std::size_t n) {
  if (n == 0 || n > kShortRow) {
    for (std::size_t i = 0; i < rows; ++i) found[i] = normalize(out + i * n, x + i * n, n);
    return;
  }
  const std::size_t together = kMaxTogether / n;
  for (std::size_t i = 0; i < rows; i += together)
    short_softmax(out + i * n, found + i, x + i * n, rows - i < together ? rows - i : together, n);
}

template <class T>
void log_softmax(T* out, const T* x, std::size_t rows, std::size_t n) {
  constexpr std::size_t kBlock = 256;
  T scratch[kBlock];
  for (std::size_t row = 0; row < rows; ++row, out += n, x += n) {
    const T shift = largest(x, n);
    T total = 0;
    for (std::size_t i = 0; i < n; i += kBlock)
      total += exponentials(scratch, x + i, shift, n - i < kBlock ? n - i : kBlock);
    const T offset = std::log(total);
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) out[i] = (x[i] - shift) - offset;
  }
}

template <class T>
SoftmaxRows<T> rows() {
  return {softmax<T>, log_softmax<T>, normalize_rows<T>};
}

}  // namespace

SoftmaxRows<float> float_rows() { return rows<float>(); }
SoftmaxRows<double> double_rows() { return rows<double>(); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_rows);
HWY_EXPORT(double_rows);

SoftmaxRows<float> float_softmax_rows() { return HWY_DYNAMIC_DISPATCH(float_rows)(); }
SoftmaxRows<double> double_softmax_rows() { return HWY_DYNAMIC_DISPATCH(double_rows)(); }

}  // namespace rill
#endif
