#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kRepeatDataset{
    .name = "RepeatDataset",
    .doc = "The input `count` times over, for ever if that is negative.",
    .inputs = {"input_dataset: variant", "count: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kRepeatDataset));

}  // namespace rill
