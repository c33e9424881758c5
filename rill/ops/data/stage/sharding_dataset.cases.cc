#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> sharding_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"AutoShardDataset", "ExperimentalAutoShardDataset"}, numbers(5) + R"(
    case = $OP(n, 2, 1)
    elements case 2)");
  add_graphs(rows, {"AutoShardDataset", "ExperimentalAutoShardDataset"}, numbers(5) + R"(
    case = $OP(n, 2, 2)
    elements case 2)",
             "index must be between 0 and 1|index");
  add_graphs(rows, {"RebatchDataset", "ExperimentalRebatchDataset"}, numbers(8) + R"(
    fours = BatchDatasetV2(n, 4, true, output_shapes=[[4]])
    case = $OP(fours, 2, output_types=[int64], output_shapes=[[?]])
    elements case 4)");
  return rows;
}

}  // namespace

extern const OpCases kShardingDatasetCases{"sharding_dataset", sharding_dataset_rows};

}  // namespace rill
