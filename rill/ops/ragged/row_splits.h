#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

// Row i of a ragged dimension holds the rows or values [splits[i], splits[i + 1]) of the next one.
// Throws InvalidArgument unless splits ascend from zero to `end`.
inline void check_row_splits(const Tensor& splits, std::int64_t end) {
  require(splits.rank() == 1, "Ragged splits must be a vector, but have shape ", splits.shape());
  require(splits.dim(0) >= 1, "ragged splits may not be empty.");
  const std::int64_t last = splits.dim(0) - 1;
  require(int_at(splits, 0) == 0, "First value of ragged splits must be 0.");
  for (std::int64_t i = 0; i < last; ++i)
    require(int_at(splits, i) <= int_at(splits, i + 1),
            "Ragged splits should be non decreasing, but we got ", int_at(splits, i),
            " followed by ", int_at(splits, i + 1));
  require(int_at(splits, last) == end,
          "Final value of ragged splits must match the length the corresponding ragged values.",
          " It is ", int_at(splits, last), ", and there are ", end, ".");
}

// Rows that a vector of splits describes.
inline std::int64_t row_count(const Tensor& splits) { return splits.dim(0) - 1; }

// Throws InvalidArgument unless splits of this type can hold `number`.
inline void check_split_fits(std::int64_t number, DType type) {
  require(type == DType::i64 || number <= INT32_MAX, "Row splits of int32 cannot hold ", number);
}

}  // namespace rill
