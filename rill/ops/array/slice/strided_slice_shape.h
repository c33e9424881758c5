#pragma once

#include <cstdint>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/tensor/tensor.h"

namespace rill {

// How StridedSlice reads its arguments: bit i of each mask speaks of entry i of begin, end and
// strides.
struct SliceMasks {
  std::int64_t begin, end, ellipsis, new_axis, shrink_axis;
};
SliceMasks slice_masks(const AttrMap& attrs);

// What a strided slice means for an input of some shape: in each dimension of the input `size`
// elements from `begin` on, `stride` apart. Unknown (-1) sizes only while a graph is built.
struct SliceView {
  Dims begin, size, stride;
  PartialShape shape;  // of the result, with axes inserted and dropped
};

// `begin` and `end` may be null while they are not known. Throws InvalidArgument when the entries
// do not fit the input.
SliceView strided_slice_view(const PartialShape& input, const std::vector<std::int64_t>* begin,
                             const std::vector<std::int64_t>* end,
                             const std::vector<std::int64_t>& strides, const SliceMasks& masks);

// The view that a kernel's arguments describe.
SliceView strided_slice_view(const Shape& input, const Tensor& begin, const Tensor& end,
                             const Tensor& strides, const SliceMasks& masks);

}  // namespace rill
