#include "rill/ops/array/slice/transpose_tiles.h"

#include <algorithm>
#include <cstring>

#include "rill/ops/simd/stream.h"

#define HWY_TARGET_INCLUDE "rill/ops/array/slice/transpose_tiles.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct Element16 {
  std::uint64_t low, high;
};

constexpr std::int64_t kBlockSide = 64;  // of what is moved through a buffer
constexpr std::int64_t kTileSide = 8;

template <class T>
void transpose_any(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride,
                   std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) dst[i * dst_stride + j] = src[j * src_stride + i];
}

template <class T>
void transpose_8x8(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride) {
  transpose_any(dst, dst_stride, src, src_stride, kTileSide, kTileSide);
}

typedef std::uint32_t Words __attribute__((vector_size(32)));
typedef std::uint32_t AnyWords __attribute__((vector_size(32), aligned(4), may_alias));

#define RILL_SHUFFLE __builtin_shufflevector
// Eight by eight words in registers: neighbours, then pairs, then halves change places.
template <>
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

// Row by row of `dst`, so that its lines are written one after the other.
template <class T>
void transpose_block(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride,
                     std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; i += kTileSide)
    for (std::int64_t j = 0; j < columns; j += kTileSide) {
      T* to = dst + i * dst_stride + j;
      const T* from = src + j * src_stride + i;
      if (i + kTileSide <= rows && j + kTileSide <= columns)
        transpose_8x8(to, dst_stride, from, src_stride);
      else
        transpose_any(to, dst_stride, from, src_stride, std::min(kTileSide, rows - i),
                      std::min(kTileSide, columns - j));
    }
}

// Rows of `src` that are far apart often compete for the same places in the cache; what is read of
// each is therefore put aside first. `buffer` has odd steps for the same reason.
template <class T>
void transpose_far(const TransposedMatrix& m) {
  constexpr std::int64_t kStep = kBlockSide + 16, kAhead = 8;
  alignas(64) T buffer[kBlockSide * kStep], turned[kBlockSide * kBlockSide];
  for (std::int64_t i = 0; i < m.rows; i += kBlockSide)
    for (std::int64_t j = 0; j < m.columns; j += kBlockSide) {
      const std::int64_t rows = std::min(kBlockSide, m.rows - i);
      const std::int64_t columns = std::min(kBlockSide, m.columns - j);
      const T* src = static_cast<const T*>(m.src) + j * m.src_stride + i;
      const std::size_t bytes = static_cast<std::size_t>(rows) * sizeof(T);
      for (std::int64_t k = 0; k < columns; ++k) {
        const auto* ahead = reinterpret_cast<const char*>(src + (k + kAhead) * m.src_stride);
        for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(ahead + at);
        std::memcpy(buffer + k * kStep, src + k * m.src_stride, bytes);
      }
      T* dst = static_cast<T*>(m.dst) + i * m.dst_stride + j;
      if (!m.streams) {
        transpose_block(dst, m.dst_stride, buffer, kStep, rows, columns);
        continue;
      }
      transpose_block(turned, kBlockSide, buffer, kStep, rows, columns);
      for (std::int64_t k = 0; k < rows; ++k)
        stream_copy(dst + k * m.dst_stride, turned + k * kBlockSide,
                    static_cast<std::size_t>(columns) * sizeof(T));
    }
  if (m.streams) finish_stream();
}

template <class T>
void transpose_matrix(const TransposedMatrix& m) {
  constexpr std::int64_t kFar = 1024;  // bytes
  if (m.src_stride * static_cast<std::int64_t>(sizeof(T)) > kFar || m.streams)
    transpose_far<T>(m);
  else
    transpose_block(static_cast<T*>(m.dst), m.dst_stride, static_cast<const T*>(m.src),
                    m.src_stride, m.rows, m.columns);
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
