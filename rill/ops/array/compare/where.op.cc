#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kWhere{
    .name = "Where",
    .doc = "The places of all elements that are not zero, one row each.",
    .inputs = {"input: T"},
    .outputs = {"index: int64"},
    .attrs = {"T: {numbertype, bool} = DT_BOOL"},
    .traits = kPure | kDataDependentShape,
    .shape = [](const ShapeCtx& c) -> Shapes {
      return {PartialShape{kUnknownDim, c.input(0).has_rank() ? c.input(0).rank() : kUnknownDim}};
    },
    .grad = no_gradient,
};
static_assert(well_formed(kWhere));

}  // namespace rill
