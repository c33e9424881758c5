#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kDenseToSparseBatchDataset{
    .name = "DenseToSparseBatchDataset",
    .doc = "Batches as sparse tensors, whose rows may be of different sizes.",
    .inputs = {"input_dataset: variant", "batch_size: int64", "row_shape: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDenseToSparseBatchDataset));

extern constexpr OpDecl kExperimentalDenseToSparseBatchDataset =
    experimental_twin(kDenseToSparseBatchDataset, "ExperimentalDenseToSparseBatchDataset");
static_assert(well_formed(kExperimentalDenseToSparseBatchDataset));

}  // namespace rill
