#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> take_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"TakeDataset"}, numbers(5) + R"(
    case = $OP(n, 2)
    elements case 2)");
  add_graphs(rows, {"TakeDataset"}, numbers(3) + R"(
    case = $OP(n, -1)
    elements case 3)");
  add_graphs(rows, {"SkipDataset"}, numbers(5) + R"(
    case = $OP(n, 3)
    elements case 2)");
  add_graphs(rows, {"SkipDataset"}, numbers(5) + R"(
    case = $OP(n, -1)
    elements case 0)");
  add_graphs(rows, {"ShardDataset"}, numbers(5) + R"(
    case = $OP(n, 2, 1)
    elements case 2)");
  add_graphs(rows, {"ShardDataset"}, numbers(5) + R"(
    case = $OP(n, 2, 5)
    elements case 2)",
             "index must be between 0 and 1|index");
  return rows;
}

}  // namespace

extern const OpCases kTakeDatasetCases{"take_dataset", take_dataset_rows};

}  // namespace rill
