#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// A band of diagonals, from `lower` to `upper`; 0 is the main one, positive ones lie above it.
struct Diagonals {
  std::int64_t lower = 0, upper = 0;

  std::int64_t count() const { return upper - lower + 1; }
  // Where diagonal `d` starts, and how long it is in a matrix of that size.
  static std::int64_t first_row(std::int64_t d) { return d < 0 ? -d : 0; }
  static std::int64_t first_column(std::int64_t d) { return d > 0 ? d : 0; }
  static std::int64_t length(std::int64_t d, std::int64_t rows, std::int64_t columns) {
    return std::max<std::int64_t>(0, std::min(rows - first_row(d), columns - first_column(d)));
  }
  // Of the longest one.
  std::int64_t max_length(std::int64_t rows, std::int64_t columns) const {
    return std::min(rows + std::min<std::int64_t>(upper, 0),
                    columns - std::max<std::int64_t>(lower, 0));
  }
};

// The value of an argument "k": one diagonal, or a lower and an upper one. Throws InvalidArgument
// unless it is that, and unless every one of them crosses a matrix of that size, where it is known.
Diagonals read_diagonals(const Tensor& k);
void check_diagonals(const Diagonals& band, std::int64_t rows, std::int64_t columns);

// The size of the matrix that MatrixDiagV2 makes, given how long the longest diagonal is and the
// size that is asked for, -1 for the smallest.
struct MatrixSize {
  std::int64_t rows, columns;
};
MatrixSize matrix_of(const Diagonals& band, std::int64_t max_length, std::int64_t rows,
                     std::int64_t columns);

}  // namespace rill
