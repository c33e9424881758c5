#pragma once

#include <algorithm>
#include <vector>

#include "rill/base/error.h"
#include "rill/tensor/tensor.h"

namespace rill {

// The dimensions that ReduceJoin joins along, in the order given.
struct JoinedDims {
  std::vector<int> dims;
  bool contains(int d) const { return std::ranges::find(dims, d) != dims.end(); }
};

// Kernels and shape functions check the same; TensorFlow's kernels call some errors OutOfRange
// which its shape functions call InvalidArgument. `range_error` is the code of these.

// Reads them from int32 indices, which count from the end where negative. Throws `range_error` for
// one outside of the rank and InvalidArgument for one given twice.
inline JoinedDims joined_dims(const Tensor& indices, int rank, Code range_error) {
  JoinedDims joined;
  for (const std::int32_t index : indices.flat<std::int32_t>()) {
    if (index < -rank || index >= rank)
      raise(range_error, "Invalid reduction dimension ", index, " for input with ", rank,
            " dimension(s)");
    const int d = index < 0 ? index + rank : index;
    require(!joined.contains(d), "Duplicate reduction dimension ", index);
    joined.dims.push_back(d);
  }
  return joined;
}

// What ReduceJoin gives.
inline PartialShape reduce_join_output(const PartialShape& input, const JoinedDims& joined,
                                       bool keep_dims) {
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < input.rank(); ++d) {
    const bool is_joined = joined.contains(d);
    if (!is_joined || keep_dims) out.add_dim(is_joined ? 1 : input.dim(d));
  }
  return out;
}

// What UnsortedSegmentJoin gives: the ids' dimensions, which come first in the input, become one.
// Ranks are known. Throws `range_error` for more ids' dimensions than the input has.
inline PartialShape segment_join_output(const PartialShape& input, const PartialShape& ids,
                                        std::int64_t segments, Code range_error) {
  require(ids.rank() != 0, "Segment_id cannot have rank 0");
  if (ids.rank() > input.rank())
    raise(range_error, "Invalid segment_id rank ", ids.rank(), " for input with ", input.rank(),
          " dimension(s)");
  PartialShape out{segments};
  for (int d = 0; d < input.rank(); ++d) {
    if (d >= ids.rank()) {
      out.add_dim(input.dim(d));
      continue;
    }
    require(ids.dim(d) < 0 || input.dim(d) < 0 || ids.dim(d) == input.dim(d),
            "Segment dimension is ", ids.dim(d), " while input dimension is ", input.dim(d),
            " in rank ", d);
  }
  return out;
}

}  // namespace rill
