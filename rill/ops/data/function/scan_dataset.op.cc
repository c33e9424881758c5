#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kScanDataset{
    .name = "ScanDataset",
    .doc = "What the function `f` makes of a state and each element; it gives the next state, too.",
    .inputs = {"input_dataset: variant", "initial_state: Tstate", "other_arguments: Targuments"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Tstate: list(type) >= 1", "Targuments: list(type) >= 0",
              "output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "preserve_cardinality: bool = false"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kScanDataset));

extern constexpr OpDecl kExperimentalScanDataset =
    experimental_twin(kScanDataset, "ExperimentalScanDataset");
static_assert(well_formed(kExperimentalScanDataset));

}  // namespace rill
