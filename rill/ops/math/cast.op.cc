#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kCast{
    .name = "Cast",
    .doc =
        "x converted to another type. Floats become integers by rounding towards zero; with "
        "Truncate, floats lose excess bits instead of being rounded.",
    .inputs = {"x: SrcT"},
    .outputs = {"y: DstT"},
    .attrs = {"SrcT: type", "DstT: type", "Truncate: bool = false"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kCast));

}  // namespace rill
