#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> scan_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ScanDataset", "ExperimentalScanDataset"}, numbers(4) + R"(
    function sums(total: int64, x: int64, by: int64) -> int64, int64 = Add(total, x), Mul(total,
        by)
    case = $OP(n, (int64 1), (int64 10), f=sums)
    elements case 4)");
  return rows;
}

}  // namespace

extern const OpCases kScanDatasetCases{"scan_dataset", scan_dataset_rows};

}  // namespace rill
