#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/ragged/ragged_or_dense.h"

// Reductions of ragged tensors: over all values, or over dimensions. Along the first dimension rows
// lie one above the other; the result is as long as the longest.
namespace rill::ragged {

enum class Reduction { kSum, kProd, kMax, kMin, kAny, kAll, kMean };

struct RaggedReduceOptions {
  std::vector<int> axes{};  // empty: all
  bool keepdims = false;
  std::string name{};
};
// Of no elements as the reductions of plain tensors; the mean of none is NaN, that of integers a
// float64. Throws InvalidArgument when there is no such axis.
RaggedOrDense reduce(Reduction how, const RaggedTensor& input,
                     const RaggedReduceOptions& options = {},
                     std::source_location at = std::source_location::current());
// The strings along one axis, joined; of all values without an axis.
RaggedOrDense reduce_join(const RaggedTensor& input, const std::string& separator,
                          const RaggedReduceOptions& options = {},
                          std::source_location at = std::source_location::current());

enum class Segments { kSum, kProd, kMax, kMin, kMean, kSqrtN };
// Row i of the result is the sum, ... of those rows of `data` whose segment is i, element by
// element. segment_ids may be ragged, with the rows of data.
RaggedOrDense unsorted_segment(Segments how, const RaggedOrDense& data,
                               const RaggedOrDense& segment_ids, const Input& num_segments,
                               const std::string& name = "",
                               std::source_location at = std::source_location::current());

}  // namespace rill::ragged
