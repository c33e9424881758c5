#include "rill/graph/op_decl.h"

namespace rill {

extern constexpr OpDecl kNoOp{
    .name = "NoOp",
    .doc = "Does nothing; a place to hang control edges on.",
    .grad = no_gradient,
};
static_assert(well_formed(kNoOp));

extern constexpr OpDecl kControlTrigger{
    .name = "ControlTrigger",
    .doc = "Does nothing, and runs even where its control inputs are dead.",
    .traits = kRunsDead,
    .grad = no_gradient,
};
static_assert(well_formed(kControlTrigger));

}  // namespace rill
