#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kCheckNumerics{
    .name = "CheckNumerics",
    .doc = "Its input, which must not contain NaN or infinity.",
    .inputs = {"tensor: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16, half, float, double}", "message: string"},
    .traits = kStateful | kForwards,
    .shape = same_as_input,
};
static_assert(well_formed(kCheckNumerics));

}  // namespace rill
