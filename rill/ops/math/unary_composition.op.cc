#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kUnaryOpsComposition{
    .name = "_UnaryOpsComposition",
    .doc = "x sent through the element-wise ops that op_names lists, one after the other.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {float, half, double}", "op_names: list(string)"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kUnaryOpsComposition));

}  // namespace rill
