#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/elementwise/chain_cost.h"

namespace rill {

extern constexpr OpDecl kUnaryOpsComposition{
    .name = "_UnaryOpsComposition",
    .doc = "x sent through the element-wise ops that op_names lists, one after the other.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {float, half, double}", "op_names: list(string)"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = chain_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kUnaryOpsComposition));

}  // namespace rill
