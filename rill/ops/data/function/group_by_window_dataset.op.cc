#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kGroupByWindowDataset{
    .name = "GroupByWindowDataset",
    .doc =
        "Elements gathered by key; a window that is full becomes the dataset that `reduce_func` "
        "makes of it.",
    .inputs = {"input_dataset: variant", "key_func_other_arguments: Tkey_func_other_arguments",
               "reduce_func_other_arguments: Treduce_func_other_arguments",
               "window_size_func_other_arguments: Twindow_size_func_other_arguments"},
    .outputs = {"handle: variant"},
    .attrs = {"key_func: func", "reduce_func: func", "window_size_func: func",
              "Tkey_func_other_arguments: list(type) >= 0",
              "Treduce_func_other_arguments: list(type) >= 0",
              "Twindow_size_func_other_arguments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kGroupByWindowDataset));

extern constexpr OpDecl kExperimentalGroupByWindowDataset =
    experimental_twin(kGroupByWindowDataset, "ExperimentalGroupByWindowDataset");
static_assert(well_formed(kExperimentalGroupByWindowDataset));

}  // namespace rill
