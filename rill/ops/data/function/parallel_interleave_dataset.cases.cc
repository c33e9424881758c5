#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> parallel_interleave_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ParallelInterleaveDataset", "ExperimentalParallelInterleaveDataset"}, R"(
    function from(x: int64) -> variant = RangeDataset(x, AddV2(x, int64 2), int64 1,
        output_types=[int64], output_shapes=[[]])
    tens = RangeDataset(0, 30, 10, output_types=[int64], output_shapes=[[]])
    case = $OP(tens, (), 2, 1, false, 1, 1, f=from)
    elements case 6)");
  add_graphs(rows, {"ParallelInterleaveDatasetV2"}, R"(
    function from(x: int64) -> variant = RangeDataset(x, AddV2(x, int64 2), int64 1,
        output_types=[int64], output_shapes=[[]])
    tens = RangeDataset(0, 30, 10, output_types=[int64], output_shapes=[[]])
    case = $OP(tens, (), 2, 1, 2, f=from)
    elements case 6)");
  return rows;
}

}  // namespace

extern const OpCases kParallelInterleaveDatasetCases{"parallel_interleave_dataset",
                                                     parallel_interleave_dataset_rows};

}  // namespace rill
