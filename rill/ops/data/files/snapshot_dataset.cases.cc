#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> snapshot_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"SnapshotDataset"}, numbers(3) + R"(
    case = $OP(n, "$TMP/snapshot")
    elements case 3
    elements case 3)");
  return rows;
}

}  // namespace

extern const OpCases kSnapshotDatasetCases{"snapshot_dataset", snapshot_dataset_rows};

}  // namespace rill
