// How the replicas and workers of a cluster share one pipeline.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kRebatchDataset{
    .name = "RebatchDataset",
    .doc = "The same elements in batches of a replica's share.",
    .inputs = {"input_dataset: variant", "num_replicas: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "use_fallback: bool = true"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kRebatchDataset));

extern constexpr OpDecl kExperimentalRebatchDataset =
    experimental_twin(kRebatchDataset, "ExperimentalRebatchDataset");
static_assert(well_formed(kExperimentalRebatchDataset));

extern constexpr OpDecl kAutoShardDataset{
    .name = "AutoShardDataset",
    .doc = "The part of the input that worker `index` of `num_workers` reads.",
    .inputs = {"input_dataset: variant", "num_workers: int64", "index: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kAutoShardDataset));

extern constexpr OpDecl kExperimentalAutoShardDataset =
    experimental_twin(kAutoShardDataset, "ExperimentalAutoShardDataset");
static_assert(well_formed(kExperimentalAutoShardDataset));

}  // namespace rill
