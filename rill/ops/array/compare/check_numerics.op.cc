#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void check_numerics_grad(GradCtx& g) {
  g.set(0, g.add("CheckNumerics", {g.dy()},
                 {{"message", str_cat("Not a number (NaN) or infinity (Inf) values detected in "
                                      "gradient. ",
                                      g.attr<std::string>("message"))}}));
}

}  // namespace

extern constexpr OpDecl kCheckNumerics{
    .name = "CheckNumerics",
    .doc = "Its input, which must not contain NaN or infinity.",
    .inputs = {"tensor: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {bfloat16, half, float, double}", "message: string"},
    .traits = kStateful | kForwards,
    .shape = same_as_input,
    .grad = check_numerics_grad,
};
static_assert(well_formed(kCheckNumerics));

}  // namespace rill
