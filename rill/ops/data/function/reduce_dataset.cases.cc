#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> reduce_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ReduceDataset"}, numbers(5) + R"(
    function sums(total: int64, count: int32, x: int64, by: int64) -> int64, int32 = Add(total,
        Mul(x, by)), Add(count, 1)
    case = $OP(n, (int64 100, 0), (int64 10), f=sums, output_types=[int64 int32],
        output_shapes=[[] []]))");
  return rows;
}

}  // namespace

extern const OpCases kReduceDatasetCases{"reduce_dataset", reduce_dataset_rows};

}  // namespace rill
