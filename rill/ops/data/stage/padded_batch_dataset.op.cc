// Batches of elements whose sizes differ.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kPaddedBatchDataset{
    .name = "PaddedBatchDataset",
    .doc =
        "Batches whose components are filled up to common shapes, the last one with what is left.",
    .inputs = {"input_dataset: variant", "batch_size: int64", "padded_shapes: N * int64",
               "padding_values: Toutput_types"},
    .outputs = {"handle: variant"},
    .attrs = {"Toutput_types: list(type) >= 1", "output_shapes: list(shape) >= 1", "N: int >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kPaddedBatchDataset));

extern constexpr OpDecl kPaddedBatchDatasetV2{
    .name = "PaddedBatchDatasetV2",
    .doc = "Batches whose components are filled up to common shapes.",
    .inputs = {"input_dataset: variant", "batch_size: int64", "padded_shapes: N * int64",
               "padding_values: Toutput_types", "drop_remainder: bool"},
    .outputs = {"handle: variant"},
    .attrs = {"parallel_copy: bool = false", "Toutput_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1", "N: int >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kPaddedBatchDatasetV2));

}  // namespace rill
