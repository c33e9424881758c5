#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> window_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"WindowDataset"}, numbers(6) + R"(
    function batch(window: variant) -> variant = BatchDataset(window, 10, output_types=[int64],
        output_shapes=[[?]])
    case = $OP(n, 3, 2, 1, false, output_types=[variant], output_shapes=[[]])
    flat = FlatMapDataset(case, (), f=batch, output_types=[int64], output_shapes=[[?]])
    elements flat 3)");
  add_graphs(rows, {"WindowDataset"}, numbers(6) + R"(
    function batch(window: variant) -> variant = BatchDataset(window, 10, output_types=[int64],
        output_shapes=[[?]])
    case = $OP(n, 2, 1, 2, true, output_types=[variant], output_shapes=[[]])
    flat = FlatMapDataset(case, (), f=batch, output_types=[int64], output_shapes=[[?]])
    elements flat 4)");
  add_graphs(rows, {"SlidingWindowDataset", "ExperimentalSlidingWindowDataset"}, numbers(6) + R"(
    case = $OP(n, 3, 2, 1, output_types=[int64], output_shapes=[[?]])
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kWindowDatasetCases{"window_dataset", window_dataset_rows};

}  // namespace rill
