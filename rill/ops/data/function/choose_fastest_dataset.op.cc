#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kChooseFastestDataset{
    .name = "ChooseFastestDataset",
    .doc =
        "The elements of that of several equal datasets that was the fastest to give the first "
        "ones.",
    .inputs = {"input_datasets: N * variant"},
    .outputs = {"handle: variant"},
    .attrs = {"N: int >= 2", "num_experiments: int", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kChooseFastestDataset));

extern constexpr OpDecl kExperimentalChooseFastestDataset =
    experimental_twin(kChooseFastestDataset, "ExperimentalChooseFastestDataset");
static_assert(well_formed(kExperimentalChooseFastestDataset));

extern constexpr OpDecl kChooseFastestBranchDataset{
    .name = "ChooseFastestBranchDataset",
    .doc =
        "The elements of datasets that functions make of the input: of each a few, then of the "
        "fastest.",
    .inputs = {"input_dataset: variant", "ratio_numerator: int64", "ratio_denominator: int64",
               "other_arguments: Targuments"},
    .outputs = {"handle: variant"},
    .attrs = {"Targuments: list(type) >= 0", "num_elements_per_branch: int >= 1",
              "branches: list(func) >= 1", "other_arguments_lengths: list(int) >= 1",
              "output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kChooseFastestBranchDataset));

}  // namespace rill
