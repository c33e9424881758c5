// Datasets that a function makes of each element, one after the other or by turns.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kFlatMapDataset{
    .name = "FlatMapDataset",
    .doc = "The elements of the datasets that the function `f` makes of each element.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kFlatMaps,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFlatMapDataset));

extern constexpr OpDecl kInterleaveDataset{
    .name = "InterleaveDataset",
    .doc = "The same with `cycle_length` datasets by turns, `block_length` elements of each.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments", "cycle_length: int64",
               "block_length: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"f: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kFlatMaps,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kInterleaveDataset));

}  // namespace rill
