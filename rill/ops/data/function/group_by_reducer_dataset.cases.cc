#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> group_by_reducer_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"GroupByReducerDataset", "ExperimentalGroupByReducerDataset"}, numbers(5) + R"(
    function parity(x: int64) -> int64 = FloorMod(x, int64 2)
    function zero(key: int64) -> int64 = Mul(key, int64 100)
    function sum(total: int64, x: int64) -> int64 = Add(total, x)
    function negative(total: int64) -> int64 = Neg(total)
    case = $OP(n, (), (), (), (), key_func=parity, init_func=zero, reduce_func=sum,
        finalize_func=negative)
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kGroupByReducerDatasetCases{"group_by_reducer_dataset",
                                                 group_by_reducer_dataset_rows};

}  // namespace rill
