#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> parallel_map_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ParallelMapDataset"}, numbers(4) + R"(
    function times(x: int64, y: int64) -> int64 = Mul(x, y)
    case = $OP(n, (int64 10), 2, f=times)
    elements case 4)");
  return rows;
}

}  // namespace

extern const OpCases kParallelMapDatasetCases{"parallel_map_dataset", parallel_map_dataset_rows};

}  // namespace rill
