#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> unbatch_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"UnbatchDataset", "ExperimentalUnbatchDataset"}, R"(
    rows = TensorDataset(([[1 2] [3 4]], ["a" "b"]), output_shapes=[[2 2] [2]])
    case = $OP(rows, output_types=[int32 string], output_shapes=[[2] []])
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kUnbatchDatasetCases{"unbatch_dataset", unbatch_dataset_rows};

}  // namespace rill
