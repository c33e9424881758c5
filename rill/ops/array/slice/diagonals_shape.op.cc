#include "rill/ops/array/slice/diagonals_shape.h"

namespace rill {

Diagonals read_diagonals(const Tensor& k) {
  require(k.rank() <= 1, "diag_index must be a scalar or vector, received shape: ", k.shape());
  const auto values = k.flat<std::int32_t>();
  require(values.size() == 1 || values.size() == 2,
          "diag_index must have only one or two elements, received ", values.size(), " elements.");
  const Diagonals band{values[0], values[values.size() - 1]};
  require(band.lower <= band.upper,
          "lower_diag_index must not be larger than upper_diag_index: ", band.lower, " > ",
          band.upper);
  return band;
}

void check_diagonals(const Diagonals& band, std::int64_t rows, std::int64_t columns) {
  const auto inside = [&](std::int64_t d) {
    return d == 0 || ((rows < 0 || d > -rows) && (columns < 0 || d < columns));
  };
  require(inside(band.lower), "lower_diag_index is out of bound: ", band.lower,
          ". It must be between ", -rows, " and ", columns);
  require(inside(band.upper), "upper_diag_index is out of bound: ", band.upper,
          ". It must be between ", -rows, " and ", columns);
}

MatrixSize matrix_of(const Diagonals& band, std::int64_t max_length, std::int64_t rows,
                     std::int64_t columns) {
  const std::int64_t min_rows = max_length - std::min<std::int64_t>(band.upper, 0);
  const std::int64_t min_columns = max_length + std::max<std::int64_t>(band.lower, 0);
  require(rows == -1 || rows >= min_rows, "The number of rows is too small.");
  require(columns == -1 || columns >= min_columns, "The number of columns is too small.");
  if (rows == -1 && columns == -1) {
    const std::int64_t size = std::max(min_rows, min_columns);
    return {size, size};
  }
  if (rows == -1) rows = min_rows;
  if (columns == -1) columns = min_columns;
  require(rows == min_rows || columns == min_columns,
          "The number of rows or columns is not consistent with the specified d_lower, d_upper, ",
          "and diagonal.");
  return {rows, columns};
}

}  // namespace rill
