#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void l2_loss_grad(GradCtx& g) { g.set(0, mul(g, g.input(0), g.dy())); }

}  // namespace

extern constexpr OpDecl kL2Loss{
    .name = "L2Loss",
    .doc = "Half the sum of the squares of all elements.",
    .inputs = {"t: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = scalar_output,
    .cost = per_input<2>,
    .grad = l2_loss_grad,
};
static_assert(well_formed(kL2Loss));

}  // namespace rill
