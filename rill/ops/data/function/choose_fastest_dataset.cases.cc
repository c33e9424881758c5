#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> choose_fastest_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ChooseFastestDataset", "ExperimentalChooseFastestDataset"}, R"(
    a = RangeDataset(0, 4, 1, output_types=[int64], output_shapes=[[]])
    b = RangeDataset(0, 4, 1, output_types=[int64], output_shapes=[[]])
    case = $OP((a, b), num_experiments=2, output_types=[int64], output_shapes=[[]])
    elements case 4)");
  add_graphs(rows, {"ChooseFastestBranchDataset"}, numbers(4) + R"(
    function one(d: variant) -> variant = SkipDataset(d, 0, output_types=[int64],
        output_shapes=[[]])
    function other(d: variant) -> variant = TakeDataset(d, -1, output_types=[int64],
        output_shapes=[[]])
    case = $OP(n, 1, 1, (), num_elements_per_branch=2, branches=[one other],
        other_arguments_lengths=[0 0])
    elements case 4)");
  return rows;
}

}  // namespace

extern const OpCases kChooseFastestDatasetCases{"choose_fastest_dataset",
                                                choose_fastest_dataset_rows};

}  // namespace rill
