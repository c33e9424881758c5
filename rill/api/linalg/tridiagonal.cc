#include "rill/api/linalg/tridiagonal.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"

namespace rill::linalg {
namespace {

std::int64_t required_dim_from_end(Output x, int from_end) {
  const PartialShape& shape = x.shape();
  if (!shape.has_rank()) return kUnknownDim;
  require(shape.rank() >= from_end, "a tensor of shape ", to_text(shape), " is too small");
  return shape.dim(shape.rank() - from_end);
}

// `x` with as many elements as the main diagonal; one more comes before or after.
Output padded(Output x, std::int64_t wanted, bool before, const char* what) {
  const std::int64_t size = required_dim_from_end(x, 1);
  if (size == kUnknownDim || size == wanted) return x;
  require(size == wanted - 1, "Expected ", what, " to be have length ", wanted, " or ", wanted - 1,
          ", got ", size, ".");
  const int rank = x.shape().rank();
  Tensor paddings(DType::i32, {rank, 2});
  std::int32_t* const counts = paddings.data<std::int32_t>();
  std::fill_n(counts, 2 * rank, 0);
  counts[2 * rank - (before ? 2 : 1)] = 1;
  return pad(x, Input(paddings));
}

std::int64_t matrix_size(Output matrices) {
  const std::int64_t rows = required_dim_from_end(matrices, 2),
                     columns = required_dim_from_end(matrices, 1);
  require(rows == columns || rows == kUnknownDim || columns == kUnknownDim,
          "Expected last two dimensions of diagonals to be same, got ", columns, " and ", rows);
  const std::int64_t size = std::max(rows, columns);
  require(size != kUnknownDim,
          "The size of the matrix needs to be known for diagonals_format=\"matrix\"");
  return size;
}

Output stacked_sequence(const Inputs& parts) {
  const Output above = as_tensor(parts[0]), main = as_tensor(parts[1]), below = as_tensor(parts[2]);
  const std::int64_t size = required_dim_from_end(main, 1);
  const Output below_all = padded(below, size, true, "subdiagonal");
  const Output above_all = padded(above, size, false, "superdiagonal");
  return stack({above_all, main, below_all}, {.axis = -2});
}

// The matrices are transposed, so that the places in them come first: [m, 3, 2], one for each row
// and diagonal. What is outside of the matrix is not looked at and may be any element.
Output stacked_matrix(Output matrices) {
  const std::int64_t size = matrix_size(matrices);
  Tensor indices(DType::i32, {size, 3, 2});
  std::int32_t* next = indices.data<std::int32_t>();
  for (std::int64_t row = 0; row < size; ++row)
    for (const int offset : {1, 0, -1}) {
      const std::int64_t column = row + offset;
      const bool is_inside = column >= 0 && column < size;
      *next++ = is_inside ? static_cast<std::int32_t>(column) : 0;
      *next++ = is_inside ? static_cast<std::int32_t>(row) : 0;
    }
  const Output columns = transpose(matrices);
  return transpose(gather_nd(columns, Input(indices)));
}

Output solve_checked(Output diagonals, Output rhs, const TridiagonalSolveOptions& options) {
  const std::int64_t size = required_dim_from_end(diagonals, 1),
                     rows = required_dim_from_end(rhs, 2);
  require(size == kUnknownDim || rows == kUnknownDim || size == rows,
          "Expected number of left-hand sided and right-hand sides to be equal, got ", size,
          " and ", rows);
  return raw::TridiagonalSolve(
      diagonals, rhs, {.partial_pivoting = options.partial_pivoting, .name = options.name});
}

void check_ranks(Output diagonals, Output rhs) {
  const int rank = diagonals.shape().rank(), rhs_rank = rhs.shape().rank();
  if (diagonals.shape().has_rank()) {
    require(rank >= 2, "Expected diagonals to have rank at least 2, got ", rank);
    require(!rhs.shape().has_rank() || rhs_rank == rank || rhs_rank == rank - 1,
            "Expected the rank of rhs to be ", rank - 1, " or ", rank, ", got ", rhs_rank);
  }
  const std::int64_t count = required_dim_from_end(diagonals, 2);
  require(count == kUnknownDim || count == 3, "Expected 3 diagonals got ", count);
}

}  // namespace

Output Tridiagonal::stacked() const {
  switch (form_) {
    case Form::kSequence:
      return stacked_sequence(parts_);
    case Form::kMatrix:
      return stacked_matrix(as_tensor(parts_[0]));
    default:
      return as_tensor(parts_[0]);
  }
}

std::vector<Output> Tridiagonal::separate() const {
  if (form_ == Form::kSequence) return as_tensors(parts_);
  const Output all = stacked();
  std::vector<Output> lines;
  for (int i = 0; i < 3; ++i) lines.push_back(slice(all, {Ellipsis{}, Input(i), SliceRange{}}));
  return lines;
}

Output tridiagonal_solve(const Tridiagonal& diagonals, const Input& rhs,
                         const TridiagonalSolveOptions& options, std::source_location at) {
  const MadeAt here(at);
  const Output lines = diagonals.stacked();
  Output right = as_tensor(rhs);
  check_ranks(lines, right);
  const bool is_vector = lines.shape().has_rank() && right.shape().has_rank() &&
                         right.shape().rank() == lines.shape().rank() - 1;
  if (is_vector) {
    if (options.conjugate_rhs) right = conj(right);
    return squeeze(solve_checked(lines, expand_dims(right, -1), options), {.axis = {-1}});
  }
  if (options.transpose_rhs) {
    right = matrix_transpose(right, {.conjugate = options.conjugate_rhs});
    return matrix_transpose(solve_checked(lines, right, options));
  }
  if (options.conjugate_rhs) right = conj(right);
  return solve_checked(lines, right, options);
}

Output tridiagonal_matmul(const Tridiagonal& diagonals, const Input& rhs,
                          const TridiagonalMatmulOptions& options, std::source_location at) {
  const MadeAt here(at);
  std::vector<Output> rows = diagonals.separate();
  for (Output& row : rows) row = expand_dims(row, -2);
  return raw::TridiagonalMatMul(rows[0], rows[1], rows[2], rhs, {.name = options.name});
}

}  // namespace rill::linalg
