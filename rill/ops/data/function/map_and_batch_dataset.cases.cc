#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> map_and_batch_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"MapAndBatchDataset", "ExperimentalMapAndBatchDataset"}, numbers(5) + R"(
    function times(x: int64, y: int64) -> int64 = Mul(x, y)
    case = $OP(n, (int64 10), 2, 1, false, f=times, output_types=[int64], output_shapes=[[?]])
    elements case 3)");
  add_graphs(rows, {"MapAndBatchDataset", "ExperimentalMapAndBatchDataset"}, numbers(5) + R"(
    function square(x: int64) -> int64 = Square(x)
    case = $OP(n, (), 2, 2, true, f=square, output_types=[int64], output_shapes=[[?]])
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kMapAndBatchDatasetCases{"map_and_batch_dataset", map_and_batch_dataset_rows};

}  // namespace rill
