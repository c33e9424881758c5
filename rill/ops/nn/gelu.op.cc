#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kGelu{
    .name = "_Gelu",
    .doc =
        "x times the normal distribution's share below x; `approximate` computes that by tanh. "
        "Graph rewriting makes it.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "approximate: bool = true"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kGelu));

}  // namespace rill
