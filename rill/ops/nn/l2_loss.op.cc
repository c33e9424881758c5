#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kL2Loss{
    .name = "L2Loss",
    .doc = "Half the sum of the squares of all elements.",
    .inputs = {"t: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = scalar_output,
};
static_assert(well_formed(kL2Loss));

}  // namespace rill
