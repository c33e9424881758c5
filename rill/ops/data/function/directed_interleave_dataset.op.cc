#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kDirectedInterleaveDataset{
    .name = "DirectedInterleaveDataset",
    .doc = "Elements of the datasets that the selector's elements name.",
    .inputs = {"selector_input_dataset: variant", "data_input_datasets: N * variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1", "N: int >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDirectedInterleaveDataset));

extern constexpr OpDecl kExperimentalDirectedInterleaveDataset =
    experimental_twin(kDirectedInterleaveDataset, "ExperimentalDirectedInterleaveDataset");
static_assert(well_formed(kExperimentalDirectedInterleaveDataset));

}  // namespace rill
