#include "rill/tensor/strided.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {

StridedView dense_view(const void* data, const Shape& shape, std::size_t element_size) {
  return broadcast_view(data, shape, shape, element_size);
}

StridedView broadcast_view(const void* data, const Shape& shape, const Shape& to,
                           std::size_t element_size) {
  StridedView view;
  view.data = static_cast<std::byte*>(const_cast<void*>(data));
  view.dims = Dims(to.dims());
  view.strides = view.dims;
  const int missing = to.rank() - shape.rank();
  auto stride = static_cast<std::uint64_t>(element_size);  // may wrap where another dimension is 0
  for (int i = to.rank() - 1; i >= 0; --i) {
    const bool stretched = i < missing || shape.dim(i - missing) == 1;
    view.strides[i] = stretched ? 0 : static_cast<std::int64_t>(stride);
    if (i >= missing) stride *= static_cast<std::uint64_t>(shape.dim(i - missing));
  }
  return view;
}

RowLoop::RowLoop(std::initializer_list<StridedView> operands) {
  require(operands.size() >= 1 && operands.size() <= kMaxOperands, "a row loop over ",
          operands.size(), " operands");
  dims_ = operands.begin()->dims;
  for (const StridedView& operand : operands) {
    require(operand.dims == dims_, "operands of a row loop differ in shape");
    data_[operand_count_] = operand.data;
    strides_[operand_count_++] = operand.strides;
  }
  const auto sizes = dims_.span();
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    row_length_ = 0;
    return;  // no pieces
  }
  collapse();
  std::size_t rows = 1;
  for (int i = 0; i < outer_rank_; ++i) rows *= static_cast<std::size_t>(dims_[i]);
  pieces_per_row_ = (row_length_ + kPieceLength - 1) / kPieceLength;
  piece_count_ = rows * pieces_per_row_;
}

bool RowLoop::joinable(int outer, int inner) const {
  for (int k = 0; k < operand_count_; ++k)
    if (strides_[k][outer] != strides_[k][inner] * dims_[inner]) return false;
  return true;
}

// Compacts dims_ and strides_ in place; dimension `last` is the one that may still grow.
void RowLoop::collapse() {
  int last = -1;
  for (int i = 0; i < dims_.size(); ++i) {
    if (dims_[i] == 1) continue;
    const bool join = last >= 0 && joinable(last, i);
    if (!join) ++last;
    dims_[last] = join ? dims_[last] * dims_[i] : dims_[i];
    for (int k = 0; k < operand_count_; ++k) strides_[k][last] = strides_[k][i];
  }
  outer_rank_ = std::max(last, 0);
  if (last < 0) return;  // a single element
  row_length_ = static_cast<std::size_t>(dims_[last]);
  for (int k = 0; k < operand_count_; ++k) steps_[k] = strides_[k][last];
}

void RowLoop::move_to(std::size_t row, std::int64_t* index, std::byte** at) const {
  std::copy_n(data_.begin(), operand_count_, at);
  for (int i = outer_rank_ - 1; i >= 0; --i) {
    const auto dim = static_cast<std::size_t>(dims_[i]);
    index[i] = static_cast<std::int64_t>(row % dim);
    row /= dim;
    for (int k = 0; k < operand_count_; ++k) at[k] += index[i] * strides_[k][i];
  }
}

void RowLoop::advance(std::int64_t* index, std::byte** at) const {
  for (int i = outer_rank_ - 1; i >= 0; --i) {
    const bool carry = ++index[i] == dims_[i];
    const std::int64_t by = carry ? 1 - dims_[i] : 1;
    for (int k = 0; k < operand_count_; ++k) at[k] += by * strides_[k][i];
    if (!carry) return;
    index[i] = 0;
  }
}

void RowLoop::run(std::size_t begin, std::size_t end, Row row) const {
  if (begin >= end) return;
  std::int64_t index[kMaxRank];
  std::byte* at[kMaxOperands];
  std::byte* piece_at[kMaxOperands];
  move_to(begin / pieces_per_row_, index, at);
  std::size_t piece = begin % pieces_per_row_;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t offset = piece * kPieceLength;
    for (int k = 0; k < operand_count_; ++k)
      piece_at[k] = at[k] + static_cast<std::int64_t>(offset) * steps_[k];
    row(piece_at, std::min(kPieceLength, row_length_ - offset));
    if (++piece < pieces_per_row_) continue;
    piece = 0;
    advance(index, at);
  }
}

void for_each_row(const StridedView& dst, const StridedView& src,
                  FunctionRef<void(void* dst, const void* src, std::size_t n)> row) {
  const RowLoop loop{dst, src};
  loop.run(0, loop.piece_count(),
           [&](std::byte* const* at, std::size_t n) { row(at[0], at[1], n); });
}

void for_each_row(const StridedView& dst, const StridedView& a, const StridedView& b,
                  FunctionRef<void(void* dst, const void* a, const void* b, std::size_t n)> row) {
  const RowLoop loop{dst, a, b};
  loop.run(0, loop.piece_count(),
           [&](std::byte* const* at, std::size_t n) { row(at[0], at[1], at[2], n); });
}

}  // namespace rill
