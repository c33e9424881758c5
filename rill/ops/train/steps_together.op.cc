#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kApplyTogether{
    .name = "_ApplyTogether",
    .doc =
        "Takes the step of the optimizer's op `update` on several variables: `state` is each "
        "variable with its slots, `scalars` what they share.",
    .inputs = {"state: Ref(N * T)", "grads: M * T", "scalars: K * T"},
    .attrs = {"T: numbertype", "N: int >= 1", "M: int >= 1", "K: int >= 1", "update: string",
              "flag: bool = false"},
    .shape = no_outputs,
};
static_assert(well_formed(kApplyTogether));

extern constexpr OpDecl kResourceApplyTogether{
    .name = "_ResourceApplyTogether",
    .doc =
        "Takes the step of the optimizer's op `update` on several variables: `state` is each "
        "variable with its slots, `scalars` what they share.",
    .inputs = {"state: N * resource", "grads: M * T", "scalars: K * T"},
    .attrs = {"T: numbertype", "N: int >= 1", "M: int >= 1", "K: int >= 1", "update: string",
              "flag: bool = false"},
    .traits = kStateful,
    .shape = no_outputs,
};
static_assert(well_formed(kResourceApplyTogether));

}  // namespace rill
