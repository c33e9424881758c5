#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/element_shapes.h"

namespace rill {

extern constexpr OpDecl kReduceDataset{
    .name = "ReduceDataset",
    .doc = "The state that is left after the function `f` has been applied to it and each element.",
    .inputs = {"input_dataset: variant", "initial_state: Tstate", "other_arguments: Targuments"},
    .outputs = {"components: output_types"},
    .attrs = {"f: func", "Tstate: list(type) >= 1", "Targuments: list(type) >= 0",
              "output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "use_inter_op_parallelism: bool = true"},
    .traits = kStateful,
    .shape = stated_element_shapes,
    .grad = not_differentiable,
};
static_assert(well_formed(kReduceDataset));

}  // namespace rill
