#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"

namespace rill {

// Values by segment; the functions that are one op are in rill/api/gen/plain_math.h.

struct SparseSegmentOptions {
  OptionalInput num_segments{};  // one more than the last id when absent
  std::string name{};
};
// The sum, mean, or sum divided by the root of the count, of the rows `indices` of `data`, by
// segment: result[s] is over all i with segment_ids[i] == s. Ids must be sorted, or the step fails.
// A segment without rows is zero.
Output sparse_segment_sum(const Input& data, const Input& indices, const Input& segment_ids,
                          const SparseSegmentOptions& options = {},
                          std::source_location at = std::source_location::current());
Output sparse_segment_mean(const Input& data, const Input& indices, const Input& segment_ids,
                           const SparseSegmentOptions& options = {},
                           std::source_location at = std::source_location::current());
Output sparse_segment_sqrt_n(const Input& data, const Input& indices, const Input& segment_ids,
                             const SparseSegmentOptions& options = {},
                             std::source_location at = std::source_location::current());

// The mean, or the sum divided by the root of the count, of segments in any order; 0 where a
// segment is empty.
Output unsorted_segment_mean(const Input& data, const Input& segment_ids, const Input& num_segments,
                             const MathOptions& options = {},
                             std::source_location at = std::source_location::current());
Output unsorted_segment_sqrt_n(const Input& data, const Input& segment_ids,
                               const Input& num_segments, const MathOptions& options = {},
                               std::source_location at = std::source_location::current());

// minlength and maxlength: of the result.
struct BincountOptions {
  OptionalInput weights{};  // what each element counts, instead of 1
  OptionalInput minlength{}, maxlength{};
  DType dtype = DType::i32;
};
// How often each number from 0 on occurs, as a vector of max(arr) + 1 elements, at least minlength
// and at most maxlength; larger numbers are then left out. With weights the result has their type,
// and dtype is not used. A negative number fails the step.
Output bincount(const Input& arr, const BincountOptions& options = {},
                std::source_location at = std::source_location::current());

namespace math {
using rill::bincount;
using rill::unsorted_segment_mean;
using rill::unsorted_segment_sqrt_n;
}  // namespace math
namespace sparse {
inline Output segment_sum(const Input& data, const Input& indices, const Input& segment_ids,
                          const SparseSegmentOptions& options = {},
                          std::source_location at = std::source_location::current()) {
  return sparse_segment_sum(data, indices, segment_ids, options, at);
}
inline Output segment_mean(const Input& data, const Input& indices, const Input& segment_ids,
                           const SparseSegmentOptions& options = {},
                           std::source_location at = std::source_location::current()) {
  return sparse_segment_mean(data, indices, segment_ids, options, at);
}
inline Output segment_sqrt_n(const Input& data, const Input& indices, const Input& segment_ids,
                             const SparseSegmentOptions& options = {},
                             std::source_location at = std::source_location::current()) {
  return sparse_segment_sqrt_n(data, indices, segment_ids, options, at);
}
}  // namespace sparse

}  // namespace rill
