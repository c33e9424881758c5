#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {

extern constexpr OpDecl kUnbroadcast{
    .name = "_Unbroadcast",
    .doc =
        "x summed over the dimensions in which a tensor of shape `shape` was repeated to get x's "
        "shape.",
    .inputs = {"x: T", "shape: Tshape"},
    .outputs = {"sum: T"},
    .attrs = {"T: numbertype", "Tshape: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = [](const ShapeCtx& c) -> Shapes { return {known_dims(c, 1)}; },
    .cost = per_input<1>,
    .grad = no_gradient,
};
static_assert(well_formed(kUnbroadcast));

}  // namespace rill
