#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kMapAndBatchDataset{
    .name = "MapAndBatchDataset",
    .doc = "What the function `f` makes of each element, written into batches.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments", "batch_size: int64",
               "num_parallel_calls: int64", "drop_remainder: bool"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1", "preserve_cardinality: bool = false"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMapAndBatchDataset));

extern constexpr OpDecl kExperimentalMapAndBatchDataset =
    experimental_twin(kMapAndBatchDataset, "ExperimentalMapAndBatchDataset");
static_assert(well_formed(kExperimentalMapAndBatchDataset));

}  // namespace rill
