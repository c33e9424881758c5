#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> tensor_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"TensorDataset"}, R"(
    case = $OP(([1.0 2.0], "a"), output_shapes=[[2] []])
    elements case 1)");
  add_graphs(rows, {"TensorSliceDataset"}, R"(
    case = $OP(([[1 2] [3 4]], ["a" "b"]), output_shapes=[[2] []])
    elements case 2)");
  add_graphs(rows, {"TensorSliceDataset"}, R"(
    case = $OP(([[1 2] [3 4]], ["a" "b" "c"]), output_shapes=[[2] []])
    elements case 2)",
             "[Dd]imension");
  return rows;
}

}  // namespace

extern const OpCases kTensorDatasetCases{"tensor_dataset", tensor_dataset_rows};

}  // namespace rill
