#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> prefetch_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"PrefetchDataset"}, numbers(3) + R"(
    case = $OP(n, 2)
    elements case 3)");
  add_graphs(rows, {"PrefetchDataset"}, numbers(3) + R"(
    case = $OP(n, -5)
    elements case 3)",
             "buffer_size");
  return rows;
}

}  // namespace

extern const OpCases kPrefetchDatasetCases{"prefetch_dataset", prefetch_dataset_rows};

}  // namespace rill
