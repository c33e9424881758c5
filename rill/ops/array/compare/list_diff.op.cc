#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kListDiff{
    .name = "ListDiff",
    .doc = "The elements of x that are not in y, in their order, and where they stood.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"out: T", "idx: out_idx"},
    .attrs = {"T: type", "out_idx: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = [](const ShapeCtx& c) -> Shapes {
      (void)c.vector(0);
      (void)c.vector(1);
      return {PartialShape{kUnknownDim}, PartialShape{kUnknownDim}};
    },
    .grad = not_differentiable,
};
static_assert(well_formed(kListDiff));

}  // namespace rill
