#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "rill/base/function_ref.h"
#include "rill/tensor/shape.h"

namespace rill {

// Elements of some type at run-time strides. Borrows the data; a stride of 0 repeats an element,
// and a negative one walks backwards.
struct StridedView {
  std::byte* data = nullptr;
  Dims dims;
  Dims strides;  // in bytes
};

// Row-major elements without gaps.
StridedView dense_view(const void* data, const Shape& shape, std::size_t element_size);
// The same, stretched to `to`, which `shape` must broadcast to (NumPy's rules, checked before).
StridedView broadcast_view(const void* data, const Shape& shape, const Shape& to,
                           std::size_t element_size);

// A walk over operands of equal dims, row by row: rank, strides and broadcasting are settled here,
// so that only the innermost row needs to know the element type. Dimensions of size one are dropped
// and neighbours that lie without a gap in every operand are joined, so that rows are as long as
// possible. Rows longer than kPieceLength are cut into pieces, which gives parallel loops something
// to split.
class RowLoop {
 public:
  static constexpr int kMaxOperands = 4;
  static constexpr std::size_t kPieceLength = 32768;
  // Receives where the piece starts in each operand, and its length.
  using Row = FunctionRef<void(std::byte* const* at, std::size_t n)>;

  // All operands have the same dims; there are at most kMaxOperands.
  RowLoop(std::initializer_list<StridedView> operands);

  std::size_t piece_count() const { return piece_count_; }
  std::size_t row_length() const { return row_length_; }
  std::int64_t step(int operand) const { return steps_[operand]; }  // bytes, within a row
  // Runs the pieces [begin, end) in order. Safe from several threads at once.
  void run(std::size_t begin, std::size_t end, Row row) const;

 private:
  void collapse();
  bool joinable(int outer, int inner) const;
  void move_to(std::size_t row, std::int64_t* index, std::byte** at) const;
  void advance(std::int64_t* index, std::byte** at) const;

  int operand_count_ = 0;
  int outer_rank_ = 0;  // dimensions around the row
  Dims dims_;           // outer dimensions first, the row last
  std::array<Dims, kMaxOperands> strides_;
  std::array<std::byte*, kMaxOperands> data_{};
  std::array<std::int64_t, kMaxOperands> steps_{};
  std::size_t row_length_ = 1, pieces_per_row_ = 1, piece_count_ = 0;
};

// The whole walk at once, for one and two sources. The row functions get dense rows only when the
// operands' last dimension is dense; use RowLoop where it may not be.
void for_each_row(const StridedView& dst, const StridedView& src,
                  FunctionRef<void(void* dst, const void* src, std::size_t n)> row);
void for_each_row(const StridedView& dst, const StridedView& a, const StridedView& b,
                  FunctionRef<void(void* dst, const void* a, const void* b, std::size_t n)> row);

}  // namespace rill
