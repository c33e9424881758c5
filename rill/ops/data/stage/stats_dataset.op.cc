// Datasets that report to a StatsAggregator.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kLatencyStatsDataset{
    .name = "LatencyStatsDataset",
    .doc = "The same elements; reports how long each took.",
    .inputs = {"input_dataset: variant", "tag: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kLatencyStatsDataset));

extern constexpr OpDecl kExperimentalLatencyStatsDataset =
    experimental_twin(kLatencyStatsDataset, "ExperimentalLatencyStatsDataset");
static_assert(well_formed(kExperimentalLatencyStatsDataset));

extern constexpr OpDecl kBytesProducedStatsDataset{
    .name = "BytesProducedStatsDataset",
    .doc = "The same elements; reports how large each was.",
    .inputs = {"input_dataset: variant", "tag: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kBytesProducedStatsDataset));

extern constexpr OpDecl kExperimentalBytesProducedStatsDataset =
    experimental_twin(kBytesProducedStatsDataset, "ExperimentalBytesProducedStatsDataset");
static_assert(well_formed(kExperimentalBytesProducedStatsDataset));

extern constexpr OpDecl kSetStatsAggregatorDataset{
    .name = "SetStatsAggregatorDataset",
    .doc = "The same elements; the stages before report to the aggregator.",
    .inputs = {"input_dataset: variant", "stats_aggregator: resource", "tag: string",
               "counter_prefix: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSetStatsAggregatorDataset));

extern constexpr OpDecl kExperimentalSetStatsAggregatorDataset =
    experimental_twin(kSetStatsAggregatorDataset, "ExperimentalSetStatsAggregatorDataset");
static_assert(well_formed(kExperimentalSetStatsAggregatorDataset));

}  // namespace rill
