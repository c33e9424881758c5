#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kGroupByReducerDataset{
    .name = "GroupByReducerDataset",
    .doc = "The elements of each key reduced to one, in the order of the keys.",
    .inputs = {"input_dataset: variant", "key_func_other_arguments: Tkey_func_other_arguments",
               "init_func_other_arguments: Tinit_func_other_arguments",
               "reduce_func_other_arguments: Treduce_func_other_arguments",
               "finalize_func_other_arguments: Tfinalize_func_other_arguments"},
    .outputs = {"handle: variant"},
    .attrs = {"key_func: func", "init_func: func", "reduce_func: func", "finalize_func: func",
              "Tkey_func_other_arguments: list(type) >= 0",
              "Tinit_func_other_arguments: list(type) >= 0",
              "Treduce_func_other_arguments: list(type) >= 0",
              "Tfinalize_func_other_arguments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kGroupByReducerDataset));

extern constexpr OpDecl kExperimentalGroupByReducerDataset =
    experimental_twin(kGroupByReducerDataset, "ExperimentalGroupByReducerDataset");
static_assert(well_formed(kExperimentalGroupByReducerDataset));

}  // namespace rill
