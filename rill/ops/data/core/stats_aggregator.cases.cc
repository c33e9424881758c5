#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> stats_aggregator_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"StatsAggregatorHandle"}, numbers(3) + R"(
    case = $OP()
    d = SetStatsAggregatorDataset(LatencyStatsDataset(n, "latency"), case, "tag", "")
    elements d 3)");
  add_graphs(rows, {"StatsAggregatorSummary"}, numbers(3) + R"(
    h = StatsAggregatorHandle()
    d = SetStatsAggregatorDataset(BytesProducedStatsDataset(n, "bytes"), h, "tag", "")
    elements d 3
    case = $OP(h)
    fetch case)");
  add_graphs(rows, {"ExperimentalStatsAggregatorHandle"}, numbers(3) + R"(
    case = $OP()
    d = ExperimentalSetStatsAggregatorDataset(ExperimentalLatencyStatsDataset(n, "latency"), case,
        "tag", "")
    elements d 3)");
  add_graphs(rows, {"ExperimentalStatsAggregatorSummary"}, numbers(3) + R"(
    h = ExperimentalStatsAggregatorHandle()
    d = ExperimentalSetStatsAggregatorDataset(ExperimentalBytesProducedStatsDataset(n, "bytes"),
        h, "tag", "")
    elements d 3
    case = $OP(h)
    fetch case)");
  add_graphs(rows, {"StatsAggregatorHandleV2"}, R"(
    case = $OP())");
  add_graphs(rows, {"StatsAggregatorSetSummaryWriter"}, R"(
    h = StatsAggregatorHandleV2()
    w = SummaryWriter(shared_name="w")
    CreateSummaryFileWriter(w, "$TMP/log", 10, 1000, ".x")
    case = $OP(h, w))");
  return rows;
}

}  // namespace

extern const OpCases kStatsAggregatorCases{"stats_aggregator", stats_aggregator_rows};

}  // namespace rill
