#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kFilterDataset{
    .name = "FilterDataset",
    .doc = "The elements for which the function `predicate` gives true.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments"},
    .outputs = {"handle: variant"},
    .attrs = {"predicate: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFilterDataset));

extern constexpr OpDecl kFilterByLastComponentDataset{
    .name = "FilterByLastComponentDataset",
    .doc = "The elements whose last component is true, without it.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"output: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFilterByLastComponentDataset));

extern constexpr OpDecl kTakeWhileDataset{
    .name = "TakeWhileDataset",
    .doc = "The elements before the first for which the function `predicate` gives false.",
    .inputs = {"input_dataset: variant", "other_arguments: Targuments"},
    .outputs = {"handle: variant"},
    .attrs = {"predicate: func", "Targuments: list(type) >= 0", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTakeWhileDataset));

extern constexpr OpDecl kExperimentalTakeWhileDataset =
    experimental_twin(kTakeWhileDataset, "ExperimentalTakeWhileDataset");
static_assert(well_formed(kExperimentalTakeWhileDataset));

}  // namespace rill
