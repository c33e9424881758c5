#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> stats_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"BytesProducedStatsDataset"}, numbers(3) + R"(
    case = $OP(n, "bytes")
    elements case 3)");
  add_graphs(rows, {"LatencyStatsDataset"}, numbers(3) + R"(
    case = $OP(n, "latency")
    elements case 3)");
  add_graphs(rows, {"SetStatsAggregatorDataset"}, numbers(3) + R"(
    h = StatsAggregatorHandle()
    case = $OP(n, h, "tag", "prefix")
    elements case 3)");
  add_graphs(rows, {"ExperimentalBytesProducedStatsDataset"}, numbers(3) + R"(
    case = $OP(n, "bytes")
    elements case 3)");
  add_graphs(rows, {"ExperimentalLatencyStatsDataset"}, numbers(3) + R"(
    case = $OP(n, "latency")
    elements case 3)");
  add_graphs(rows, {"ExperimentalSetStatsAggregatorDataset"}, numbers(3) + R"(
    h = ExperimentalStatsAggregatorHandle()
    case = $OP(n, h, "tag", "prefix")
    elements case 3)");
  return rows;
}

}  // namespace

extern const OpCases kStatsDatasetCases{"stats_dataset", stats_dataset_rows};

}  // namespace rill
