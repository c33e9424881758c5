#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kRandomShuffle{
    .name = "RandomShuffle",
    .doc = "`value` with its slices along the first dimension in random order.",
    .inputs = {"value: T"},
    .outputs = {"output: T"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "T: type"},
    .traits = kStateful,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kRandomShuffle));

}  // namespace rill
