#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> unique_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"UniqueDataset", "ExperimentalUniqueDataset"}, R"(
    d = TensorSliceDataset((["a" "b" "a" "c" "b"]), output_shapes=[[]])
    case = $OP(d)
    elements case 3)");
  return rows;
}

}  // namespace

extern const OpCases kUniqueDatasetCases{"unique_dataset", unique_dataset_rows};

}  // namespace rill
