#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kUnbatchDataset{
    .name = "UnbatchDataset",
    .doc = "The rows of each element.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kUnbatchDataset));

extern constexpr OpDecl kExperimentalUnbatchDataset =
    experimental_twin(kUnbatchDataset, "ExperimentalUnbatchDataset");
static_assert(well_formed(kExperimentalUnbatchDataset));

}  // namespace rill
