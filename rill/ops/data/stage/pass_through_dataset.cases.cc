#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> pass_through_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ModelDataset"}, numbers(3) + R"(
    case = $OP(n)
    elements case 3)");
  add_graphs(rows, {"OptimizeDataset"}, numbers(3) + R"(
    case = $OP(TakeDataset(n, -1), ["noop_elimination"], output_types=[int64], output_shapes=[[]])
    elements case 3)");
  return rows;
}

}  // namespace

extern const OpCases kPassThroughDatasetCases{"pass_through_dataset", pass_through_dataset_rows};

}  // namespace rill
