#include "rill/ops/array/slice/strided_copy.h"

#include <algorithm>

#include "rill/ops/array/slice/strided_rows.h"
#include "rill/ops/array/slice/transpose_tiles.h"
#include "rill/ops/array/values/element_types.h"
#include "rill/ops/simd/stream.h"

namespace rill {
namespace {

// A piece of a transposition: it stays in the second-level cache.
constexpr std::int64_t kPieceRows = 64, kPieceColumns = 128;
constexpr std::int64_t kRowPiece = 512;  // longer rows are shared among threads

// Drops dimensions of one element and joins neighbours that both sides step through evenly.
StridedCopy simplified(const StridedCopy& copy) {
  StridedCopy out;
  for (int i = 0; i < copy.sizes.size(); ++i) {
    if (copy.sizes[i] == 1) continue;
    const int last = out.sizes.size() - 1;
    if (last >= 0 && out.dst_strides[last] == copy.dst_strides[i] * copy.sizes[i] &&
        out.src_strides[last] == copy.src_strides[i] * copy.sizes[i]) {
      out.sizes[last] *= copy.sizes[i];
      out.dst_strides[last] = copy.dst_strides[i];
      out.src_strides[last] = copy.src_strides[i];
    } else {
      out.add_dim(copy.sizes[i], copy.dst_strides[i], copy.src_strides[i]);
    }
  }
  if (out.sizes.size() == 0) out.add_dim(1, 1, 1);
  return out;
}

// Walks the outer dimensions in order, keeping both offsets.
class Odometer {
 public:
  Odometer(const StridedCopy& copy, int outer_rank, std::int64_t position) : copy_(copy) {
    for (int i = 0; i < outer_rank; ++i) index_.push_back(0);
    for (int i = outer_rank - 1; i >= 0; --i) {
      index_[i] = position % copy.sizes[i];
      position /= copy.sizes[i];
      dst += index_[i] * copy.dst_strides[i];
      src += index_[i] * copy.src_strides[i];
    }
  }

  void next() {
    for (int i = index_.size() - 1; i >= 0; --i) {
      dst += copy_.dst_strides[i];
      src += copy_.src_strides[i];
      if (++index_[i] < copy_.sizes[i]) return;
      dst -= copy_.sizes[i] * copy_.dst_strides[i];
      src -= copy_.sizes[i] * copy_.src_strides[i];
      index_[i] = 0;
    }
  }

  std::int64_t dst = 0, src = 0;

 private:
  const StridedCopy& copy_;
  Dims index_;
};

// Elements [begin, end) of the copy, counted along the rows.
template <class T>
void copy_rows(const StridedCopy& copy, T* dst, const T* src, std::int64_t begin,
               std::int64_t end) {
  const int last = copy.sizes.size() - 1;
  const std::int64_t row = copy.sizes[last];
  const std::int64_t dst_stride = copy.dst_strides[last], src_stride = copy.src_strides[last];
  Odometer at(copy, last, begin / row);
  std::int64_t column = begin % row;
  while (begin < end) {
    const std::int64_t count = std::min(row - column, end - begin);
    copy_row(dst + at.dst + column * dst_stride, dst_stride, src + at.src + column * src_stride,
             src_stride, count);
    begin += count;
    column = 0;
    at.next();
  }
}

// Rows [begin, end) of the copy, which has two dimensions at least.
template <class T>
void copy_planes(const StridedCopy& copy, T* dst, const T* src, std::int64_t begin,
                 std::int64_t end) {
  const int last = copy.sizes.size() - 1, next = last - 1;
  const StridedRows rows{copy.dst_strides[next], copy.src_strides[next], copy.dst_strides[last],
                         copy.src_strides[last], copy.sizes[last]};
  Odometer at(copy, next, begin / copy.sizes[next]);
  std::int64_t row = begin % copy.sizes[next];
  while (begin < end) {
    const std::int64_t count = std::min(copy.sizes[next] - row, end - begin);
    copy_plane(dst + at.dst + row * rows.dst_step, src + at.src + row * rows.src_step, rows, count);
    begin += count;
    row = 0;
    at.next();
  }
}

// Moves the dimension along which the source is dense next to the last one, along which the
// destination is; false when the copy is no transposition.
bool arrange_transposition(StridedCopy& copy) {
  const int last = copy.sizes.size() - 1;
  if (copy.dst_strides[last] != 1 || copy.src_strides[last] == 0) return false;
  for (int k = 0; k < last; ++k) {
    if (copy.src_strides[k] != 1) continue;
    for (Dims* dims : {&copy.sizes, &copy.dst_strides, &copy.src_strides})
      std::rotate(dims->data() + k, dims->data() + k + 1, dims->data() + last);
    return true;
  }
  return false;
}

template <class T>
void transpose_piece(T* dst, std::int64_t dst_stride, const T* src, std::int64_t src_stride,
                     std::int64_t rows, std::int64_t columns, bool streams) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    transpose_tiles(sizeof(T), {dst, src, dst_stride, src_stride, rows, columns, streams});
  } else {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) dst[i * dst_stride + j] = src[i + j * src_stride];
  }
}

template <class T>
void copy_transposed(const KernelCall& call, const StridedCopy& copy, T* dst, const T* src,
                     std::int64_t outer_count) {
  const int last = copy.sizes.size() - 1;
  const std::int64_t rows = copy.sizes[last - 1], columns = copy.sizes[last];
  const std::int64_t dst_stride = copy.dst_strides[last - 1], src_stride = copy.src_strides[last];
  const bool streams =
      static_cast<std::size_t>(outer_count * rows * columns) * sizeof(T) >= kStreamBytes;
  const std::int64_t down = (rows + kPieceRows - 1) / kPieceRows;
  const std::int64_t across = (columns + kPieceColumns - 1) / kPieceColumns;
  const double nanos =
      0.4 * static_cast<double>(std::min(kPieceRows, rows) * std::min(kPieceColumns, columns));
  call.parallel_for(static_cast<std::size_t>(outer_count * down * across), 10 + nanos,
                    [&](std::size_t begin, std::size_t end) {
                      for (auto at = static_cast<std::int64_t>(begin);
                           at < static_cast<std::int64_t>(end); ++at) {
                        const std::int64_t row = at % down * kPieceRows;
                        const std::int64_t column = at / down % across * kPieceColumns;
                        const Odometer o(copy, last - 1, at / down / across);
                        transpose_piece(dst + o.dst + row * dst_stride + column, dst_stride,
                                        src + o.src + row + column * src_stride, src_stride,
                                        std::min(kPieceRows, rows - row),
                                        std::min(kPieceColumns, columns - column), streams);
                      }
                    });
}

// Planes of two or three rows would be many: where the dimension before is longer, it changes
// places with that of the rows, unless what is written between two neighbours then leaves the
// cache.
void lengthen_planes(StridedCopy& copy, std::size_t element) {
  constexpr std::int64_t kFewRows = 8, kCacheBytes = 16 << 10;
  const int rows = copy.sizes.size() - 2, before = rows - 1;
  if (before < 0 || copy.sizes[rows] >= kFewRows || copy.sizes[before] <= copy.sizes[rows]) return;
  if (copy.sizes[before] * copy.dst_strides[before] >
      kCacheBytes / static_cast<std::int64_t>(element))
    return;
  for (Dims* dims : {&copy.sizes, &copy.dst_strides, &copy.src_strides})
    std::swap((*dims)[before], (*dims)[rows]);
}

template <class T>
void copy_typed(const KernelCall& call, StridedCopy copy, T* dst, const T* src,
                std::int64_t count) {
  const int last = copy.sizes.size() - 1;
  const bool dense = copy.dst_strides[last] == 1 && copy.src_strides[last] == 1;
  if (!dense && arrange_transposition(copy))
    return copy_transposed(call, copy, dst, src, count / (copy.sizes[last - 1] * copy.sizes[last]));
  const std::int64_t row = copy.sizes[last];
  const double nanos_per_row = row <= kShortRow ? 1 : dense ? 10 : 5;
  const double nanos = nanos_per_row / static_cast<double>(row) +
                       (dense ? 0.05 * sizeof(T) : 0.5 + 0.05 * sizeof(T));
  if (last > 0 && row <= kRowPiece) {
    lengthen_planes(copy, sizeof(T));
    return call.parallel_for(static_cast<std::size_t>(count / row),
                             nanos * static_cast<double>(row),
                             [&](std::size_t begin, std::size_t end) {
                               copy_planes(copy, dst, src, static_cast<std::int64_t>(begin),
                                           static_cast<std::int64_t>(end));
                             });
  }
  call.parallel_for(
      static_cast<std::size_t>(count), nanos, [&](std::size_t begin, std::size_t end) {
        copy_rows(copy, dst, src, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
      });
}

}  // namespace

void strided_copy(const KernelCall& call, DType dtype, void* dst, const void* src,
                  const StridedCopy& copy) {
  std::int64_t count = 1;
  if (std::ranges::count(copy.sizes.span(), 0) > 0) return;
  for (const std::int64_t size : copy.sizes.span()) count *= size;
  with_element_type(dtype, [&]<class T>(T*) {
    copy_typed(call, simplified(copy), static_cast<T*>(dst), static_cast<const T*>(src), count);
  });
}

void fill_elements(const KernelCall& call, DType dtype, void* dst, const void* value,
                   std::int64_t count) {
  StridedCopy copy;
  copy.add_dim(count, 1, 0);
  strided_copy(call, dtype, dst, value, copy);
}

Dims row_major_strides(const Shape& shape) {
  Dims strides(shape.dims());
  std::uint64_t stride = 1;  // wraps, rather than overflows, where a dimension of zero allows it
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(shape.dim(i));
  }
  return strides;
}

}  // namespace rill
