#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/sparse/sparse_tensor.h"

namespace rill {

// A tensor whose rows have different lengths. Row i holds flat_values[splits[i]] up to but without
// flat_values[splits[i + 1]]; splits begin with 0 and never fall.
//
//   auto rows = from_row_splits(values, splits);  // 3 1 4 1 5 and 0 2 2 5: [[3,1], [], [4,1,5]]
//   Output padded = to_tensor(rows);              // [3, 3], zeros added
struct RaggedTensor {
  Output flat_values = {};
  std::vector<Output> nested_row_splits = {};  // the outermost dimension first; at least one

  DType dtype() const { return base_type(flat_values.dtype()); }
  DType splits_type() const { return base_type(nested_row_splits[0].dtype()); }
  int ragged_rank() const { return static_cast<int>(nested_row_splits.size()); }
  Output row_splits() const { return nested_row_splits[0]; }
  PartialShape shape() const;

  // The rows one after the other: ragged where there are several ragged dimensions.
  bool has_ragged_values() const { return nested_row_splits.size() > 1; }
  RaggedTensor ragged_values() const;
};

namespace ragged {

struct FromOptions {
  bool validate = true;  // steps fail where the rows are impossible
  std::string name = {};
};
// Rows of `values` by where they begin and end. Splits are a vector of int32 or int64, or
// InvalidArgument is thrown. `values` may be ragged, of the same splits type.
RaggedTensor from_row_splits(const Input& values, const Input& row_splits,
                             const FromOptions& options = {},
                             std::source_location at = std::source_location::current());
RaggedTensor from_row_splits(const RaggedTensor& values, const Input& row_splits,
                             const FromOptions& options = {},
                             std::source_location at = std::source_location::current());
// What `row_splits` would be for rows that are told by their lengths, by where they start, by where
// they end, or by the row of each value (ascending). nrows: for empty rows at the end.
Output splits_of_lengths(const Input& row_lengths);
Output splits_of_starts(const Input& row_starts, Output value_count);
Output splits_of_limits(const Input& row_limits);
Output splits_of_rowids(const Input& value_rowids, const OptionalInput& nrows);
Output rowids_of_splits(const Input& row_splits);

struct FromTensorOptions {
  OptionalInput lengths = {};  // of the rows
  OptionalInput padding = {};  // trailing values that do not count
  int ragged_rank = 1;
  DType row_splits_dtype = DType::i64;
  std::string name = {};
};
// With ragged_rank above 1, lengths and padding are those of the innermost ragged dimension; the
// others are full. Throws InvalidArgument unless ragged_rank is positive and below the tensor's
// rank, which must be known, and when both lengths and padding are given.
RaggedTensor from_tensor(const Input& tensor, const FromTensorOptions& options = {},
                         std::source_location at = std::source_location::current());
// A matrix whose rows are filled from the left: a gap fails the step. Other ranks throw
// InvalidArgument.
RaggedTensor from_sparse(const SparseTensor& input, const std::string& name = "",
                         DType row_splits_dtype = DType::i64,
                         std::source_location at = std::source_location::current());

// Padded with `default_value`, else with zeros.
Output to_tensor(const RaggedTensor& input, const OptionalInput& default_value = {},
                 const std::string& name = "",
                 std::source_location at = std::source_location::current());
SparseTensor to_sparse(const RaggedTensor& input, const std::string& name = "",
                       std::source_location at = std::source_location::current());

Output nrows(const RaggedTensor& input);
Output row_lengths(const RaggedTensor& input);
// The smallest shape that holds all rows.
Output bounding_shape(const RaggedTensor& input, const std::string& name = "",
                      std::source_location at = std::source_location::current());

struct RangeOptions {
  DType row_splits_dtype = DType::i64;
  std::string name = {};
};
// A row of numbers for each start, limit and delta, which are cast to the widest of their types:
// int32, int64, float32, float64.
RaggedTensor range(const Input& starts, const Input& limits, const Input& deltas,
                   const RangeOptions& options = {},
                   std::source_location at = std::source_location::current());

// Rows `start` to `stop` of the outermost dimension.
RaggedTensor rows(const RaggedTensor& input, const OptionalInput& start, const OptionalInput& stop,
                  std::source_location at = std::source_location::current());

}  // namespace ragged
}  // namespace rill
