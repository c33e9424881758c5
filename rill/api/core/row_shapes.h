#pragma once

#include <vector>

#include "rill/tensor/shape.h"

namespace rill {

// The shape of `count` stacked tensors of a shape; kUnknownDim: of some number.
inline PartialShape shape_of_rows(std::int64_t count, const PartialShape& row) {
  if (!row.has_rank()) return {};
  std::vector<std::int64_t> dims{count};
  dims.insert(dims.end(), row.dims().begin(), row.dims().end());
  return PartialShape(dims);
}

// The shape of one row of a tensor, which is no scalar.
inline PartialShape shape_of_row(const PartialShape& rows) {
  if (!rows.has_rank()) return {};
  return PartialShape(rows.dims().subspan(1));
}

}  // namespace rill
