#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "rill/ops/array/slice/short_copy.h"

// Loops over the last two dimensions of a strided copy.

namespace rill {

// Every second element, four out of two vectors at a time.
template <class T>
void copy_every_second(T* dst, const T* src, std::int64_t count) {
  std::int64_t i = 0;
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    using Four [[gnu::vector_size(16)]] = std::uint32_t;
    for (; i + 4 < count; i += 4) {  // never reads what lies behind the last one
      Four low, high;
      std::memcpy(&low, src + 2 * i, sizeof low);
      std::memcpy(&high, src + 2 * i + 4, sizeof high);
      const Four both = __builtin_shufflevector(low, high, 0, 2, 4, 6);
      std::memcpy(dst + i, &both, sizeof both);
    }
  }
  for (; i < count; ++i) dst[i] = src[2 * i];
}

template <class T>
void copy_row(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride,
              std::int64_t count) {
  if (dst_stride == 1 && src_stride == 1) {
    std::copy_n(src, count, dst);
  } else if (dst_stride == 1 && src_stride == 0) {
    std::fill_n(dst, count, *src);
  } else if (dst_stride == 1 && src_stride == -1) {
    for (std::int64_t i = 0; i < count; ++i) dst[i] = src[-i];
  } else if (dst_stride == 1 && src_stride == 2) {
    copy_every_second(dst, src, count);
  } else {
    for (std::int64_t i = 0; i < count; ++i) dst[i * dst_stride] = src[i * src_stride];
  }
}

// How rows follow each other along the last dimension but one, and elements along the last.
struct StridedRows {
  std::int64_t dst_step, src_step, dst_stride, src_stride, width;
};

inline constexpr std::int64_t kShortRow = 8;  // a call per row would take longer than its copy

template <int kWidth, int kStride, class T>
void copy_short_rows(T* dst, const T* src, const StridedRows& rows, std::int64_t count) {
  const std::int64_t dst_step = rows.dst_step, src_step = rows.src_step;
  for (std::int64_t i = 0; i < count; ++i, dst += dst_step, src += src_step) {
    if constexpr (kStride == 1 && std::is_trivially_copyable_v<T>) {
      std::memcpy(dst, src, kWidth * sizeof(T));
    } else {
      T row[kWidth];
#pragma GCC unroll 8
      for (int k = 0; k < kWidth; ++k) row[k] = src[k * kStride];
#pragma GCC unroll 8
      for (int k = 0; k < kWidth; ++k) dst[k] = row[k];
    }
  }
}

// Pixels of three channels, moved as four: the next pixel covers the fourth again. The ends are
// copied by themselves, so nothing around them is read or written.
template <class T>
void copy_pixels(T* dst, const T* src, const StridedRows& rows, std::int64_t count) {
  copy_short_rows<3, 1>(dst, src, rows, 1);
  for (std::int64_t i = 1; i + 1 < count; ++i)
    std::memcpy(dst + 3 * i, src + i * rows.src_step, 4 * sizeof(T));
  copy_short_rows<3, 1>(dst + 3 * (count - 1), src + (count - 1) * rows.src_step, rows, 1);
}

template <class T, int kStride>
constexpr auto kShortCopies =
    std::to_array<void (*)(T*, const T*, const StridedRows&, std::int64_t)>(
        {copy_short_rows<1, kStride>, copy_short_rows<2, kStride>, copy_short_rows<3, kStride>,
         copy_short_rows<4, kStride>, copy_short_rows<5, kStride>, copy_short_rows<6, kStride>,
         copy_short_rows<7, kStride>, copy_short_rows<8, kStride>});

template <class T>
void copy_plane(T* dst, const T* src, const StridedRows& rows, std::int64_t count) {
  if constexpr (std::is_trivially_copyable_v<T>)
    if (rows.width == 3 && rows.dst_step == 3 && rows.dst_stride == 1 && rows.src_stride == 1 &&
        rows.src_step != 0)
      return copy_pixels(dst, src, rows, count);
  if (rows.width <= kShortRow && rows.dst_stride == 1 && std::abs(rows.src_stride) == 1) {
    const auto at = static_cast<std::size_t>(rows.width - 1);
    const auto copy = rows.src_stride == 1 ? kShortCopies<T, 1>[at] : kShortCopies<T, -1>[at];
    return copy(dst, src, rows, count);
  }
  if constexpr (std::is_trivially_copyable_v<T>) {
    if (rows.dst_stride == 1 && rows.src_stride == 1 && is_short_copy<T>(rows.width)) {
      const auto bytes = static_cast<std::int64_t>(sizeof(T)) * rows.width;
      for (std::int64_t i = 0; i < count; ++i)
        copy_vectors(dst + i * rows.dst_step, src + i * rows.src_step, bytes);
      return;
    }
  }
  for (std::int64_t i = 0; i < count; ++i)
    copy_row(dst + i * rows.dst_step, rows.dst_stride, src + i * rows.src_step, rows.src_stride,
             rows.width);
}

}  // namespace rill
