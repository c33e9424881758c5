#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> group_by_window_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"GroupByWindowDataset", "ExperimentalGroupByWindowDataset"}, numbers(7) + R"(
    function parity(x: int64) -> int64 = FloorMod(x, int64 2)
    function batch(key: int64, window: variant) -> variant = BatchDataset(window, 10,
        output_types=[int64], output_shapes=[[?]])
    function size(key: int64) -> int64 = Add(key, int64 2)
    case = $OP(n, (), (), (), key_func=parity, reduce_func=batch, window_size_func=size,
        output_types=[int64], output_shapes=[[?]])
    elements case 3)");
  return rows;
}

}  // namespace

extern const OpCases kGroupByWindowDatasetCases{"group_by_window_dataset",
                                                group_by_window_dataset_rows};

}  // namespace rill
