#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kConcatenateDataset{
    .name = "ConcatenateDataset",
    .doc = "One dataset after the other.",
    .inputs = {"input_dataset: variant", "another_dataset: variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kJoinsDatasets,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kConcatenateDataset));

}  // namespace rill
