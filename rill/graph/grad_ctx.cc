#include "rill/graph/grad_ctx.h"

#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill {

Output densify(Scope& scope, const IndexedSlices& slices, std::string_view name) {
  require(static_cast<bool>(slices.dense_shape.node),
          "Tensor conversion requested for IndexedSlices ", "without dense_shape: ", slices.values);
  const Output rows = strided_slice(scope, slices.dense_shape, 0, 1, /*drop=*/true);
  return scope.add("UnsortedSegmentSum", {slices.values, slices.indices, rows}, {}, name).output();
}

Output GradCtx::dy(int i) {
  Gradient& gradient = arriving_.at(static_cast<std::size_t>(i));
  if (gradient.is_slices()) gradient = densify(scope_, gradient.slices());
  return gradient.dense();
}

}  // namespace rill
