#include "rill/ops/array/transpose_tiles.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/array/transpose_tiles.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct Element16 {
  std::uint64_t low, high;
};

// Tiles are a cache line wide where that is at least eight elements, so that every line that is
// read or written is used whole.
template <class T>
constexpr std::int64_t kTileSide = std::clamp<std::int64_t>(64 / sizeof(T), 8, 32);

template <class T>
void transpose_edge(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride,
                    std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) dst[i * dst_stride + j] = src[j * src_stride + i];
}

// Through a buffer: rows of large matrices often compete for the same places in the cache.
template <class T>
void transpose_tile(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride) {
  constexpr std::int64_t kSide = kTileSide<T>;
  alignas(64) T tile[kSide * kSide];
  for (std::int64_t j = 0; j < kSide; ++j)
    std::memcpy(tile + j * kSide, src + j * src_stride, kSide * sizeof(T));
  for (std::int64_t i = 0; i < kSide; ++i)
    for (std::int64_t j = 0; j < kSide; ++j) dst[i * dst_stride + j] = tile[j * kSide + i];
}

typedef std::uint32_t Words __attribute__((vector_size(32)));
typedef std::uint32_t AnyWords __attribute__((vector_size(32), aligned(4), may_alias));

#define RILL_SHUFFLE __builtin_shufflevector
// Eight by eight words in registers: neighbours, then pairs, then halves change places.
inline void transpose_8x8(std::uint32_t* dst, std::int64_t dst_stride, const std::uint32_t* src,
                          std::int64_t src_stride) {
  Words r[8], t[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) r[i] = *reinterpret_cast<const AnyWords*>(src + i * src_stride);
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    t[i] = RILL_SHUFFLE(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    t[i + 1] = RILL_SHUFFLE(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
    for (int k = 0; k < 2; ++k) {
      r[i + 2 * k] = RILL_SHUFFLE(t[i + k], t[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      r[i + 2 * k + 1] = RILL_SHUFFLE(t[i + k], t[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    t[i] = RILL_SHUFFLE(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    t[i + 4] = RILL_SHUFFLE(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) *reinterpret_cast<AnyWords*>(dst + i * dst_stride) = t[i];
}
#undef RILL_SHUFFLE

template <>
void transpose_tile(std::uint32_t* dst, std::int64_t dst_stride, const std::uint32_t* src,
                    std::int64_t src_stride) {
  for (int i = 0; i < 16; i += 8)
    for (int j = 0; j < 16; j += 8)
      transpose_8x8(dst + i * dst_stride + j, dst_stride, src + j * src_stride + i, src_stride);
}

template <class T>
void transpose_at(const TransposedMatrix& m, std::int64_t i, std::int64_t j) {
  constexpr std::int64_t kSide = kTileSide<T>;
  T* to = static_cast<T*>(m.dst) + i * m.dst_stride + j;
  const T* from = static_cast<const T*>(m.src) + j * m.src_stride + i;
  const std::int64_t rows = std::min(kSide, m.rows - i), columns = std::min(kSide, m.columns - j);
  rows == kSide&& columns == kSide
      ? transpose_tile(to, m.dst_stride, from, m.src_stride)
      : transpose_edge(to, m.dst_stride, from, m.src_stride, rows, columns);
}

// Rows that are far apart lie in pages of their own, of which few should be in use at a time.
constexpr std::int64_t kFar = 1024;

template <class T>
void transpose_matrix(const TransposedMatrix& m) {
  constexpr std::int64_t kSide = kTileSide<T>;
  if (m.src_stride * static_cast<std::int64_t>(sizeof(T)) > kFar) {
    const auto* src = static_cast<const T*>(m.src);
    for (std::int64_t j = 0; j < m.columns; j += kSide)
      for (std::int64_t i = 0; i < m.rows; i += kSide) {
        for (std::int64_t k = 0; k < kSide; ++k)  // which no hardware foresees
          __builtin_prefetch(src + (j + kSide + k) * m.src_stride + i);
        transpose_at<T>(m, i, j);
      }
  } else {
    for (std::int64_t i = 0; i < m.rows; i += kSide)
      for (std::int64_t j = 0; j < m.columns; j += kSide) transpose_at<T>(m, i, j);
  }
}

}  // namespace

void transpose_by_size(std::size_t size, const TransposedMatrix& matrix) {
  switch (size) {
    case 1:
      return transpose_matrix<std::uint8_t>(matrix);
    case 2:
      return transpose_matrix<std::uint16_t>(matrix);
    case 4:
      return transpose_matrix<std::uint32_t>(matrix);
    case 8:
      return transpose_matrix<std::uint64_t>(matrix);
    default:
      return transpose_matrix<Element16>(matrix);
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(transpose_by_size);

void transpose_tiles(std::size_t size, const TransposedMatrix& matrix) {
  HWY_DYNAMIC_DISPATCH(transpose_by_size)(size, matrix);
}

}  // namespace rill
#endif
