#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// A matrix of `rows` x `columns` elements whose transpose lies at `src`: dst[i][j] = src[j][i].
// Strides count elements.
struct TransposedMatrix {
  void* dst;
  const void* src;
  std::int64_t dst_stride, src_stride, rows, columns;
  bool streams = false;  // `dst` is written past the caches
};

// Copies elements of `size` bytes: 1, 2, 4, 8 or 16. On the calling thread; best for matrices of a
// few hundred rows and columns, which stay in the second-level cache.
void transpose_tiles(std::size_t size, const TransposedMatrix& matrix);

}  // namespace rill
