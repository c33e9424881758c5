// The input as it is, with something beside it.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kAssertNextDataset{
    .name = "AssertNextDataset",
    .doc = "The input, if the stages behind this one are those that `transformations` names.",
    .inputs = {"input_dataset: variant", "transformations: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kAssertNextDataset));

extern constexpr OpDecl kExperimentalAssertNextDataset =
    experimental_twin(kAssertNextDataset, "ExperimentalAssertNextDataset");
static_assert(well_formed(kExperimentalAssertNextDataset));

extern constexpr OpDecl kNonSerializableDataset{
    .name = "NonSerializableDataset",
    .doc = "The input; it cannot be written into a graph.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kNonSerializableDataset));

extern constexpr OpDecl kExperimentalNonSerializableDataset =
    experimental_twin(kNonSerializableDataset, "ExperimentalNonSerializableDataset");
static_assert(well_formed(kExperimentalNonSerializableDataset));

extern constexpr OpDecl kSleepDataset{
    .name = "SleepDataset",
    .doc = "The input, after a pause before each element.",
    .inputs = {"input_dataset: variant", "sleep_microseconds: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSleepDataset));

extern constexpr OpDecl kExperimentalSleepDataset =
    experimental_twin(kSleepDataset, "ExperimentalSleepDataset");
static_assert(well_formed(kExperimentalSleepDataset));

extern constexpr OpDecl kIgnoreErrorsDataset{
    .name = "IgnoreErrorsDataset",
    .doc = "The elements of the input that can be had without errors.",
    .inputs = {"input_dataset: variant"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIgnoreErrorsDataset));

extern constexpr OpDecl kExperimentalIgnoreErrorsDataset =
    experimental_twin(kIgnoreErrorsDataset, "ExperimentalIgnoreErrorsDataset");
static_assert(well_formed(kExperimentalIgnoreErrorsDataset));

}  // namespace rill
