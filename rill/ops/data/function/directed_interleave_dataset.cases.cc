#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> directed_interleave_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset"},
             numbers(5) + R"(
    which = TensorSliceDataset((int64 [0 1 1 0 1]), output_shapes=[[]])
    tens = RangeDataset(10, 12, 1, output_types=[int64], output_shapes=[[]])
    case = $OP(which, (n, tens), output_types=[int64], output_shapes=[[]])
    elements case 4)");
  add_graphs(rows, {"DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset"},
             numbers(5) + R"(
    which = TensorSliceDataset((int64 [0 2]), output_shapes=[[]])
    case = $OP(which, (n), output_types=[int64], output_shapes=[[]])
    elements case 2)",
             "Selector index out of range");
  return rows;
}

}  // namespace

extern const OpCases kDirectedInterleaveDatasetCases{"directed_interleave_dataset",
                                                     directed_interleave_dataset_rows};

}  // namespace rill
