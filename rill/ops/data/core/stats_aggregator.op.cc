// What datasets' reports are gathered in.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {

extern constexpr OpDecl kStatsAggregatorHandle{
    .name = "StatsAggregatorHandle",
    .doc = "A handle of an aggregator.",
    .outputs = {"handle: resource"},
    .attrs = {"container: string = \"\"", "shared_name: string = \"\""},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kStatsAggregatorHandle));

extern constexpr OpDecl kExperimentalStatsAggregatorHandle =
    experimental_twin(kStatsAggregatorHandle, "ExperimentalStatsAggregatorHandle");
static_assert(well_formed(kExperimentalStatsAggregatorHandle));

extern constexpr OpDecl kStatsAggregatorHandleV2{
    .name = "StatsAggregatorHandleV2",
    .doc = "A handle of an aggregator.",
    .outputs = {"handle: resource"},
    .attrs = {"container: string = \"\"", "shared_name: string = \"\""},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kStatsAggregatorHandleV2));

extern constexpr OpDecl kStatsAggregatorSummary{
    .name = "StatsAggregatorSummary",
    .doc = "What was gathered, as a serialized Summary.",
    .inputs = {"iterator: resource"},
    .outputs = {"summary: string"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kStatsAggregatorSummary));

extern constexpr OpDecl kExperimentalStatsAggregatorSummary =
    experimental_twin(kStatsAggregatorSummary, "ExperimentalStatsAggregatorSummary");
static_assert(well_formed(kExperimentalStatsAggregatorSummary));

extern constexpr OpDecl kStatsAggregatorSetSummaryWriter{
    .name = "StatsAggregatorSetSummaryWriter",
    .doc = "Lets the aggregator write what it gathers to a summary writer.",
    .inputs = {"stats_aggregator: resource", "summary: resource"},
    .traits = kStateful,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kStatsAggregatorSetSummaryWriter));

}  // namespace rill
