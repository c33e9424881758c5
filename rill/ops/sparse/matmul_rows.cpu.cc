#include "rill/ops/sparse/matmul_rows.h"

#include <algorithm>
#include <cstring>

#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/sparse/matmul_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

constexpr int kSparseVectorBytes = 32;

// Rows of the dense matrix come from anywhere in memory: they are asked for some elements ahead.
constexpr std::int64_t kRowsAhead = 8;

template <class T>
inline void ask_for(const SparseRow& row, const T* dense, std::int64_t stride, std::int64_t i,
                    std::int64_t lines) {
  if (i + kRowsAhead >= row.count) return;
  const char* at =
      reinterpret_cast<const char*>(dense + row.columns[(i + kRowsAhead) * row.apart] * stride);
  for (std::int64_t line = 0; line < lines; ++line) __builtin_prefetch(at + line * 64);
}

// kVectors vectors of sums stay in registers while all elements of the row pass.
template <class T, int kVectors>
inline void sum_vectors(T* out, const SparseRow& row, const T* dense, std::int64_t stride) {
  typedef T Vector __attribute__((vector_size(kSparseVectorBytes)));
  constexpr int kLanes = kSparseVectorBytes / sizeof(T);
  const T* values = static_cast<const T*>(row.values);
  Vector sum[kVectors] = {};
  for (std::int64_t i = 0; i < row.count; ++i) {
    const T* from = dense + row.columns[i * row.apart] * stride;
    ask_for(row, dense, stride, i, (kVectors * kSparseVectorBytes + 63) / 64);
    for (int v = 0; v < kVectors; ++v) {
      Vector x;
      std::memcpy(&x, from + v * kLanes, sizeof x);
      sum[v] += values[i] * x;
    }
  }
  std::memcpy(out, sum, sizeof sum);
}

// The columns that are too few for a vector.
template <class T>
inline void sum_columns(T* out, const SparseRow& row, const T* dense, std::int64_t stride,
                        std::int64_t width) {
  const T* values = static_cast<const T*>(row.values);
  std::fill_n(out, width, T(0));
  for (std::int64_t i = 0; i < row.count; ++i) {
    const T* from = dense + row.columns[i * row.apart] * stride;
    ask_for(row, dense, stride, i, 1);
    for (std::int64_t j = 0; j < width; ++j)
      out[j] = wrapping_add(out[j], wrapping_mul(values[i], from[j]));
  }
}

template <class T>
void sparse_row(void* out_bytes, const SparseRow& row, const void* dense_bytes, std::int64_t stride,
                std::int64_t width) {
  T* out = static_cast<T*>(out_bytes);
  const T* dense = static_cast<const T*>(dense_bytes);
  std::int64_t j = 0;
  if constexpr (!kIsComplex<T>) {
    constexpr std::int64_t kLanes = kSparseVectorBytes / sizeof(T);
    for (; j + 8 * kLanes <= width; j += 8 * kLanes)
      sum_vectors<T, 8>(out + j, row, dense + j, stride);
    for (; j + 2 * kLanes <= width; j += 2 * kLanes)
      sum_vectors<T, 2>(out + j, row, dense + j, stride);
    for (; j + kLanes <= width; j += kLanes) sum_vectors<T, 1>(out + j, row, dense + j, stride);
  }
  if (j < width) sum_columns(out + j, row, dense + j, stride, width - j);
}

}  // namespace

SparseRowFn find_sparse_row(DType type) {
  switch (wrapping_type(type)) {
    case DType::f32:
      return sparse_row<float>;
    case DType::f64:
      return sparse_row<double>;
    case DType::u32:
      return sparse_row<std::uint32_t>;
    case DType::c64:
      return sparse_row<complex64>;
    case DType::c128:
      return sparse_row<complex128>;
    default:
      return nullptr;
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_BY_TYPE(SparseRowFn, sparse_row_product, find_sparse_row);

}  // namespace rill
#endif
