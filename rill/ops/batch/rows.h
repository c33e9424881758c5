#pragma once

#include <span>

#include "rill/tensor/tensor.h"

namespace rill {

// The rows of all tensors, in order, and then the first row again until there are `rows`. Throws
// InvalidArgument unless all are of one type and differ in their number of rows alone.
Tensor joined_rows(std::span<const Tensor> tensors, std::int64_t rows);
// No rows of the shape that `like` has.
Tensor no_rows(const Tensor& like);

// Which rows of a batch belong to whom: [id, start, end] each. Throws InvalidArgument when a
// batch_index makes no sense for a tensor of so many rows.
struct RowsOf {
  std::int64_t id, start, end;
};
std::vector<RowsOf> parse_batch_index(const Tensor& batch_index, std::int64_t rows);

}  // namespace rill
