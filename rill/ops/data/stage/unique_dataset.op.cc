#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kUniqueDataset{
    .name = "UniqueDataset",
    .doc = "Each element once, where it comes first.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kUniqueDataset));

extern constexpr OpDecl kExperimentalUniqueDataset =
    experimental_twin(kUniqueDataset, "ExperimentalUniqueDataset");
static_assert(well_formed(kExperimentalUniqueDataset));

}  // namespace rill
