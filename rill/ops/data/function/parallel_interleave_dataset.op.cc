// As InterleaveDataset, with the datasets read in the background.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kParallelInterleaveDatasetV2{
    .name = "ParallelInterleaveDatasetV2",
    .doc =
        "The elements of the datasets that the function `f` makes of each element, `cycle_length` "
        "of them by turns, read by `num_parallel_calls` workers.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments", "cycle_length: int64",
               "block_length: int64", "num_parallel_calls: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1", "sloppy: bool = false"},
    .traits = kFlatMaps,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kParallelInterleaveDatasetV2));

extern constexpr OpDecl kParallelInterleaveDataset{
    .name = "ParallelInterleaveDataset",
    .doc =
        "The elements of the datasets that the function `f` makes of each element, `cycle_length` "
        "of them by turns, each read in the background; a dataset that has ended makes room for "
        "the longest prepared.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments", "cycle_length: int64",
               "block_length: int64", "sloppy: bool", "buffer_output_elements: int64",
               "prefetch_input_elements: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kFlatMaps,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kParallelInterleaveDataset));

extern constexpr OpDecl kExperimentalParallelInterleaveDataset =
    experimental_twin(kParallelInterleaveDataset, "ExperimentalParallelInterleaveDataset");
static_assert(well_formed(kExperimentalParallelInterleaveDataset));

}  // namespace rill
