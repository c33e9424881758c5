#include "rill/graph/grad_ctx.h"

#include "rill/base/error.h"

namespace rill {

Output densify(Scope& scope, const IndexedSlices& slices) {
  require(static_cast<bool>(slices.dense_shape), "Tensor conversion requested for IndexedSlices ",
          "without dense_shape: ", slices.values);
  const Output rows =
      scope
          .add("StridedSlice",
               {slices.dense_shape, Tensor::vector<std::int32_t>({0}),
                Tensor::vector<std::int32_t>({1}), Tensor::vector<std::int32_t>({1})},
               {{"shrink_axis_mask", 1}}, "strided_slice")
          .output();
  return scope.add("UnsortedSegmentSum", {slices.values, slices.indices, rows}).output();
}

Output GradCtx::dy(int i) {
  Gradient& gradient = arriving_.at(static_cast<std::size_t>(i));
  if (gradient.is_slices()) gradient = densify(scope_, gradient.slices());
  return gradient.dense();
}

}  // namespace rill
