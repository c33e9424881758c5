#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> concatenate_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ConcatenateDataset"}, numbers(2) + R"(
    more = RangeDataset(7, 9, 1, output_types=[int64], output_shapes=[[]])
    case = $OP(n, more)
    elements case 4)");
  return rows;
}

}  // namespace

extern const OpCases kConcatenateDatasetCases{"concatenate_dataset", concatenate_dataset_rows};

}  // namespace rill
