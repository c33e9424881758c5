#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/slicing.h"
#include "rill/api/ragged/ragged_joining.h"

// Elements picked out of ragged tensors. An index out of range fails the step.
namespace rill::ragged {

// x[keys...]. Throws InvalidArgument for an index into an inner ragged dimension, whose rows need
// not have such an element, and for more keys than dimensions.
RaggedOrDense slice(const RaggedOrDense& x, const std::vector<SlicePart>& keys,
                    std::source_location at = std::source_location::current());

// The slices of `params` that `indices` name, with the dimensions of indices. With batch_dims the
// first dimensions of both are walked together. Throws InvalidArgument where the rank of indices
// is unknown or below batch_dims.
RaggedOrDense gather(const RaggedOrDense& params, const RaggedOrDense& indices, int batch_dims = 0,
                     const JoinOptions& options = {},
                     std::source_location at = std::source_location::current());
// gather, for each batch: all dimensions of `indices` but the last are dimensions of `params`.
RaggedOrDense batch_gather(const RaggedOrDense& params, const RaggedOrDense& indices,
                           const JoinOptions& options = {},
                           std::source_location at = std::source_location::current());
// The slices of `params` that the last dimension of `indices` names, whose size must be known
// (InvalidArgument).
RaggedOrDense gather_nd(const RaggedOrDense& params, const RaggedOrDense& indices,
                        const JoinOptions& options = {},
                        std::source_location at = std::source_location::current());

// The places of what is true, one in each row of an int64 matrix.
Output where(const RaggedTensor& condition, const JoinOptions& options = {},
             std::source_location at = std::source_location::current());
// x where the condition holds, y elsewhere: whole rows for a condition that is a vector.
RaggedOrDense where(const RaggedOrDense& condition, const RaggedOrDense& x, const RaggedOrDense& y,
                    const JoinOptions& options = {},
                    std::source_location at = std::source_location::current());
// The same with broadcasting.
RaggedTensor where_v2(const RaggedOrDense& condition, const RaggedOrDense& x,
                      const RaggedOrDense& y, const JoinOptions& options = {},
                      std::source_location at = std::source_location::current());

// Those elements whose place in `mask` is true. The result is ragged where the mask has several
// dimensions. Throws InvalidArgument where the mask is a scalar or of unknown rank.
RaggedOrDense boolean_mask(const RaggedOrDense& data, const RaggedOrDense& mask,
                           const JoinOptions& options = {},
                           std::source_location at = std::source_location::current());
// Row p holds the slices of `data` whose partition is p, in order. The first dimensions of data are
// those of partitions, whose rank must be known (InvalidArgument). A partition outside of [0,
// num_partitions) fails the step. Row splits have the type of a ragged argument's, else that of
// partitions.
RaggedTensor stack_dynamic_partitions(const RaggedOrDense& data, const RaggedOrDense& partitions,
                                      const Input& num_partitions, const JoinOptions& options = {},
                                      std::source_location at = std::source_location::current());

}  // namespace rill::ragged
