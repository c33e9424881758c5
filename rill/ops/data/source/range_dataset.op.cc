#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kRangeDataset{
    .name = "RangeDataset",
    .doc = "The numbers from start up to stop, step by step.",
    .inputs = {"start: int64", "stop: int64", "step: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kRangeDataset));

}  // namespace rill
