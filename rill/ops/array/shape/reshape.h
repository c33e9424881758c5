#pragma once

#include <span>

#include "rill/tensor/dtype.h"
#include "rill/tensor/shape.h"

// The shapes that Reshape and its kin produce; shared by shape functions and kernels, which set
// their outputs themselves because they share the input's storage. All throw InvalidArgument.
namespace rill {

// `sizes` may hold one -1, which takes what is left.
Shape reshaped_shape(const Shape& input, std::span<const std::int64_t> sizes);

// A dimension of 1 inserted before `axis`, which counts from the end when negative.
PartialShape expanded_shape(const PartialShape& input, std::int64_t axis);

// Without the named dimensions, or without all dimensions of 1 when none is named.
PartialShape squeezed_shape(const PartialShape& input, std::span<const std::int64_t> axes);

// The innermost dimension absorbs the difference of the element sizes.
PartialShape bitcast_shape(const PartialShape& input, DType from, DType to);

}  // namespace rill
