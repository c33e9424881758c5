#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> repeat_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"RepeatDataset"}, numbers(2) + R"(
    case = $OP(n, 2)
    elements case 4)");
  add_graphs(rows, {"RepeatDataset"}, numbers(2) + R"(
    case = $OP(n, -1)
    elements case 5)");
  add_graphs(rows, {"RepeatDataset"}, numbers(2) + R"(
    case = $OP(n, 0)
    elements case 0)");
  return rows;
}

}  // namespace

extern const OpCases kRepeatDatasetCases{"repeat_dataset", repeat_dataset_rows};

}  // namespace rill
