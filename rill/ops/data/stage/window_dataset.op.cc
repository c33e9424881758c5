// Overlapping parts of a dataset.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kWindowDataset{
    .name = "WindowDataset",
    .doc = "Windows over the input, each of them a dataset per component.",
    .inputs = {"input_dataset: variant", "size: int64", "shift: int64", "stride: int64",
               "drop_remainder: bool"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kWindowDataset));

extern constexpr OpDecl kSlidingWindowDataset{
    .name = "SlidingWindowDataset",
    .doc = "Windows over the input, each of them a batch.",
    .inputs = {"input_dataset: variant", "window_size: int64", "window_shift: int64",
               "window_stride: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSlidingWindowDataset));

extern constexpr OpDecl kExperimentalSlidingWindowDataset =
    experimental_twin(kSlidingWindowDataset, "ExperimentalSlidingWindowDataset");
static_assert(well_formed(kExperimentalSlidingWindowDataset));

}  // namespace rill
