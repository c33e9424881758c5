#include "rill/ops/math/matmul/gemm_direct.h"

#include <algorithm>
#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/math/matmul/gemm_direct.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kDirectBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int kDirectBytes = 32;
#else
constexpr int kDirectBytes = 16;
#endif

// Partial sums of a dot product: as many on every instruction set, so that its bits are the same.
template <class T>
constexpr int kPartialSums = 128 / sizeof(T);

template <class T>
inline T sum_of(T* parts) {
  for (int half = kPartialSums<T> / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) parts[i] += parts[i + half];
  return parts[0];
}

template <class T, int rows>
inline void dot_rows(const T* matrix, std::int64_t k, const T* x, T* y) {
  typedef T Vector __attribute__((vector_size(kDirectBytes)));
  constexpr int kLanes = kDirectBytes / sizeof(T), kVectors = kPartialSums<T> / kLanes;
  Vector sums[rows][kVectors] = {};
  std::int64_t d = 0;
  for (; d + kPartialSums<T> <= k; d += kPartialSums<T>)
    for (int v = 0; v < kVectors; ++v) {
      Vector factor;
      std::memcpy(&factor, x + d + v * kLanes, sizeof factor);
      for (int i = 0; i < rows; ++i) {
        Vector row;
        std::memcpy(&row, matrix + i * k + d + v * kLanes, sizeof row);
        sums[i][v] += row * factor;
      }
    }
  for (int i = 0; i < rows; ++i) {
    T parts[kPartialSums<T>];
    std::memcpy(parts, sums[i], sizeof parts);
    T sum = sum_of(parts);
    for (std::int64_t rest = d; rest < k; ++rest) sum += matrix[i * k + rest] * x[rest];
    y[i] = sum;
  }
}

// Rows that are shorter than the partial sums, each summed in its order; `fixed` is their length
// where the compiler knows it, else 0.
template <class T, int fixed>
void short_dots(const T* matrix, std::int64_t rows, std::int64_t length, const T* x, T* y) {
  constexpr int kTogether = 8;  // sums that do not wait for each other
  const std::int64_t k = fixed > 0 ? fixed : length;
  const auto dot = [=](std::int64_t i) {
    T sum = matrix[i * k] * x[0];
    for (std::int64_t d = 1; d < k; ++d) sum += matrix[i * k + d] * x[d];
    return sum;
  };
  std::int64_t i = 0;
  for (; fixed == 0 && i + kTogether <= rows; i += kTogether) {
    T sums[kTogether];
    for (int r = 0; r < kTogether; ++r) sums[r] = matrix[(i + r) * k] * x[0];
    for (std::int64_t d = 1; d < k; ++d)
      for (int r = 0; r < kTogether; ++r) sums[r] += matrix[(i + r) * k + d] * x[d];
    std::memcpy(y + i, sums, sizeof sums);
  }
#pragma GCC ivdep
  for (; i < rows; ++i) y[i] = dot(i);
}

template <class T>
void direct_dots(const T* matrix, std::int64_t rows, std::int64_t k, const T* x, T* y) {
  if (k == 1) return short_dots<T, 1>(matrix, rows, k, x, y);
  if (k == 2) return short_dots<T, 2>(matrix, rows, k, x, y);
  if (k == 3) return short_dots<T, 3>(matrix, rows, k, x, y);
  if (k == 4) return short_dots<T, 4>(matrix, rows, k, x, y);
  if (k < kPartialSums<T>) return short_dots<T, 0>(matrix, rows, k, x, y);
  std::int64_t i = 0;
  for (; i + 2 <= rows; i += 2) dot_rows<T, 2>(matrix + i * k, k, x, y + i);
  if (i < rows) dot_rows<T, 1>(matrix + i * k, k, x, y + i);
}

// Several rows at a time, so that y is not read and written for each.
template <class T, int rows>
inline void add_rows(const T* matrix, std::int64_t stride, const T* x, std::int64_t columns, T* y) {
#pragma GCC ivdep
  for (std::int64_t j = 0; j < columns; ++j) {
    T sum = y[j];
    for (int d = 0; d < rows; ++d) sum += x[d] * matrix[d * stride + j];
    y[j] = sum;
  }
}

template <class T>
void direct_sums(const T* matrix, std::int64_t stride, std::int64_t k, const T* x,
                 std::int64_t columns, T* y) {
  std::fill_n(y, columns, T(0));
  std::int64_t d = 0;
  for (; d + 8 <= k; d += 8) add_rows<T, 8>(matrix + d * stride, stride, x + d, columns, y);
  for (; d < k; ++d) add_rows<T, 1>(matrix + d * stride, stride, x + d, columns, y);
}

// `rows` rows of C, `count` vectors of `bytes` wide; a vector as large as an element is one.
template <class T, int bytes, int count, int rows>
inline void small_piece(const T* a, std::int64_t a_row, std::int64_t a_depth, const T* b,
                        std::int64_t n, std::int64_t k, T* c) {
  typedef T Vector __attribute__((vector_size(bytes)));
  constexpr int kLanes = bytes / sizeof(T);
  Vector sums[rows][count] = {};
  for (std::int64_t d = 0; d < k; ++d) {
    Vector part[count];
    std::memcpy(part, b + d * n, sizeof part);
    for (int i = 0; i < rows; ++i)
      for (int v = 0; v < count; ++v) sums[i][v] += a[i * a_row + d * a_depth] * part[v];
  }
  for (int i = 0; i < rows; ++i) std::memcpy(c + i * n, sums[i], count * kLanes * sizeof(T));
}

// Columns of C from j on, as long as they fill such pieces.
template <class T, int bytes, int count>
inline std::int64_t small_columns(const Product& p, const T* b, std::int64_t j) {
  constexpr int kColumns = count * bytes / static_cast<int>(sizeof(T)), kRows = 4;
  const std::int64_t a_row = p.transpose_a ? 1 : p.k, a_depth = p.transpose_a ? p.m : 1;
  const auto* a = static_cast<const T*>(p.a);
  for (; j + kColumns <= p.n; j += kColumns) {
    T* const c = static_cast<T*>(p.c) + j;
    std::int64_t i = 0;
    for (; i + kRows <= p.m; i += kRows)
      small_piece<T, bytes, count, kRows>(a + i * a_row, a_row, a_depth, b + j, p.n, p.k,
                                          c + i * p.n);
    for (; i < p.m; ++i)
      small_piece<T, bytes, count, 1>(a + i * a_row, a_row, a_depth, b + j, p.n, p.k, c + i * p.n);
  }
  return j;
}

template <class T>
void direct_small(const Product& p, const T* b) {
  std::int64_t j = small_columns<T, kDirectBytes, 2>(p, b, 0);
  j = small_columns<T, kDirectBytes, 1>(p, b, j);
  if (kDirectBytes > 32) j = small_columns<T, kDirectBytes / 2, 1>(p, b, j);
  if (kDirectBytes > 16) j = small_columns<T, 16, 1>(p, b, j);
  small_columns<T, sizeof(T), 1>(p, b, j);
}

}  // namespace

const DirectProducts<float>& float_direct() {
  static constexpr DirectProducts<float> kDirect{direct_dots, direct_sums, direct_small};
  return kDirect;
}
const DirectProducts<double>& double_direct() {
  static constexpr DirectProducts<double> kDirect{direct_dots, direct_sums, direct_small};
  return kDirect;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_direct);
HWY_EXPORT(double_direct);

template <>
const DirectProducts<float>& direct_products<float>() {
  return HWY_DYNAMIC_DISPATCH(float_direct)();
}
template <>
const DirectProducts<double>& direct_products<double>() {
  return HWY_DYNAMIC_DISPATCH(double_direct)();
}

}  // namespace rill
#endif
