#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kMapDataset{
    .name = "MapDataset",
    .doc = "What the function `f` makes of each element.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1", "use_inter_op_parallelism: bool = true",
              "preserve_cardinality: bool = false"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMapDataset));

extern constexpr OpDecl kExperimentalMapDataset =
    experimental_twin(kMapDataset, "ExperimentalMapDataset");
static_assert(well_formed(kExperimentalMapDataset));

}  // namespace rill
