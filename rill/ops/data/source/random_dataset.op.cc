// Chance as a source and as a filter.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kRandomDataset{
    .name = "RandomDataset",
    .doc = "Random numbers of 32 bits, without end.",
    .inputs = {"seed: int64", "seed2: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kRandomDataset));

extern constexpr OpDecl kExperimentalRandomDataset =
    experimental_twin(kRandomDataset, "ExperimentalRandomDataset");
static_assert(well_formed(kExperimentalRandomDataset));

extern constexpr OpDecl kSamplingDataset{
    .name = "SamplingDataset",
    .doc = "Keeps each element with probability `rate`.",
    .inputs = {"input_dataset: variant", "rate: float", "seed: int64", "seed2: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSamplingDataset));

}  // namespace rill
