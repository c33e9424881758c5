#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Shapes of batches of matrices: [..., rows, columns].
struct MatrixShape {
  PartialShape batch;  // unknown rank when the input's is
  std::int64_t rows = kUnknownDim, columns = kUnknownDim;
};

inline MatrixShape matrix_input(const ShapeCtx& c, int i) {
  const PartialShape x = c.with_rank_at_least(i, 2);
  if (!x.has_rank()) return {};
  return {PartialShape(x.dims().first(static_cast<std::size_t>(x.rank() - 2))), x.dim(x.rank() - 2),
          x.dim(x.rank() - 1)};
}

// The same, with as many rows as columns.
inline MatrixShape square_input(const ShapeCtx& c, int i) {
  MatrixShape x = matrix_input(c, i);
  require(compatible(x.rows, x.columns), when_run("Input matrix must be square."),
          when_built("Dimensions must be equal, but are ", x.rows, " and ", x.columns));
  x.rows = x.columns = merge_dim(x.rows, x.columns);
  return x;
}

inline PartialShape batch_with(PartialShape batch, std::initializer_list<std::int64_t> dims) {
  if (!batch.has_rank()) return {};
  for (const std::int64_t dim : dims) batch.add_dim(dim);
  return batch;
}

// A square matrix each, and one of the same size.
inline Shapes square_shape(const ShapeCtx& c) {
  const MatrixShape x = square_input(c, 0);
  return {batch_with(x.batch, {x.rows, x.columns})};
}

// What a system of equations has in common: matrices and right-hand sides with equally many rows.
inline void require_same_rows(std::int64_t matrix_rows, std::int64_t rhs_rows) {
  require(compatible(matrix_rows, rhs_rows), when_run("Input matrix and rhs are incompatible."),
          when_built("Dimensions must be equal, but are ", matrix_rows, " and ", rhs_rows));
}

}  // namespace rill
