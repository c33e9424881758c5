#include "rill/graph/kernel_work.h"
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
    .cost = per_output<kTranscendental + 8>,
    .grad = no_gradient,
};
static_assert(well_formed(kGelu));

extern constexpr OpDecl kGeluErfGrad{
    .name = "_GeluErfGrad",
    .doc = "dy times the slope of _Gelu at x. Graph rewriting makes it.",
    .inputs = {"dy: T", "x: T"},
    .outputs = {"dx: T"},
    .attrs = {"T: {float}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .cost = per_output<2 * kTranscendental>,
    .grad = no_gradient,
};
static_assert(well_formed(kGeluErfGrad));

extern constexpr OpDecl kGeluTanhGrad{
    .name = "_GeluTanhGrad",
    .doc = "dy times the slope of the approximate _Gelu at x. Graph rewriting makes it.",
    .inputs = {"dy: T", "x: T"},
    .outputs = {"dx: T"},
    .attrs = {"T: {float}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .cost = per_output<2 * kTranscendental>,
    .grad = no_gradient,
};
static_assert(well_formed(kGeluTanhGrad));

}  // namespace rill
