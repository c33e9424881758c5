#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kAdamMove{
    .name = "_AdamMove",
    .doc =
        "var -= lr m / (sqrt(v) + epsilon): how Adam moves a variable whose gradient is sparse. "
        "Graph rewriting makes it.",
    .inputs = {"var: Ref(T)", "m: T", "v: T", "lr: T", "epsilon: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: {float}"},
    .shape = [](const ShapeCtx& c) -> Shapes {
      for (int i = 3; i < 5; ++i) c.with_rank(i, 0);
      return {merge_shapes(c.input(1), c.input(2))};
    },
    .cost = per_input<4 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kAdamMove));

}  // namespace rill
