#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> dense_to_sparse_batch_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset"}, R"(
    vectors = TensorSliceDataset(([[1 2] [3 4] [5 6]]), output_shapes=[[2]])
    case = $OP(vectors, 2, [4], output_types=[variant], output_shapes=[[3]])
    first = DatasetToSingleElement(TakeDataset(case, 1))
    parts = DeserializeSparse(first, dtype=int32)
    fetch parts, parts:1, parts:2)");
  return rows;
}

}  // namespace

extern const OpCases kDenseToSparseBatchDatasetCases{"dense_to_sparse_batch_dataset",
                                                     dense_to_sparse_batch_dataset_rows};

}  // namespace rill
