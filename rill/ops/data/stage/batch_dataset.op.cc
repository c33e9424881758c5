// Several elements in one, a row each.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kBatchDataset{
    .name = "BatchDataset",
    .doc = "Each element holds the next `batch_size` of the input, the last one what is left.",
    .inputs = {"input_dataset: variant", "batch_size: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kBatchDataset));

extern constexpr OpDecl kBatchDatasetV2{
    .name = "BatchDatasetV2",
    .doc =
        "Each element holds the next `batch_size` of the input; fewer at the end are dropped or "
        "kept.",
    .inputs = {"input_dataset: variant", "batch_size: int64", "drop_remainder: bool"},
    .outputs = {"handle: variant"},
    .attrs = {"parallel_copy: bool = false", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kBatchDatasetV2));

}  // namespace rill
