#include "rill/graph/grad_ctx.h"

#include "rill/base/error.h"

namespace rill {

Output densify(Scope& scope, const IndexedSlices& slices, std::string_view name) {
  require(static_cast<bool>(slices.dense_shape), "Tensor conversion requested for IndexedSlices ",
          "without dense_shape: ", slices.values);
  Scope inner = scope.named("strided_slice");
  const auto bound = [&](int value, const char* name) {
    return inner.constant(Tensor::vector<std::int32_t>({value}), name);
  };
  const Output begin = bound(0, "stack"), end = bound(1, "stack_1"), stride = bound(1, "stack_2");
  const Output rows = scope
                          .add("StridedSlice", {slices.dense_shape, begin, end, stride},
                               {{"shrink_axis_mask", 1}}, inner.name() + "/")
                          .output();
  return scope.add("UnsortedSegmentSum", {slices.values, slices.indices, rows}, {}, name).output();
}

Output GradCtx::dy(int i) {
  Gradient& gradient = arriving_.at(static_cast<std::size_t>(i));
  if (gradient.is_slices()) gradient = densify(scope_, gradient.slices());
  return gradient.dense();
}

}  // namespace rill
