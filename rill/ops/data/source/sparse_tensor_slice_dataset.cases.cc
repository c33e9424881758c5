#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> sparse_tensor_slice_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"SparseTensorSliceDataset"}, R"(
    case = $OP([[0 1] [2 0] [2 1]], [1.0 2.0 3.0], [3 2])
    slices = TakeDataset(case, -1, output_types=[int64 float int64],
        output_shapes=[[? 1] [?] [1]])
    elements slices 3)");
  add_graphs(rows, {"SparseTensorSliceDataset"}, R"(
    case = $OP([[2 1] [0 0]], [1.0 2.0], [3 2]))",
             "order");
  return rows;
}

}  // namespace

extern const OpCases kSparseTensorSliceDatasetCases{"sparse_tensor_slice_dataset",
                                                    sparse_tensor_slice_dataset_rows};

}  // namespace rill
