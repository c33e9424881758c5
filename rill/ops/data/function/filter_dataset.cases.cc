#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> filter_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"FilterDataset"}, numbers(5) + R"(
    function above(x: int64, y: int64) -> bool = Greater(x, y)
    case = $OP(n, (int64 2), predicate=above)
    elements case 2)");
  add_graphs(rows, {"TakeWhileDataset", "ExperimentalTakeWhileDataset"}, numbers(5) + R"(
    function below(x: int64) -> bool = Less(x, int64 2)
    case = $OP(n, (), predicate=below)
    elements case 2)");
  rows.push_back({.op = "FilterByLastComponentDataset",
                  .want = {scalar<std::int32_t>(1), scalar<std::int32_t>(3), scalar<bool>(false)},
                  .graph = R"(
    pairs = TensorSliceDataset(([1 2 3], [true false true]), output_shapes=[[] []])
    case = $OP(pairs, output_types=[int32], output_shapes=[[]])
    elements case 2)"});
  add_graphs(rows, {"FilterDataset"}, numbers(5) + R"(
    function sums(x: int64) -> int64 = Add(x, x)
    case = $OP(n, (), predicate=sums)
    elements case 2)",
             "predicate");
  return rows;
}

}  // namespace

extern const OpCases kFilterDatasetCases{"filter_dataset", filter_dataset_rows};

}  // namespace rill
