#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> padded_batch_dataset_rows() {
  std::vector<OpCase> rows;
  add_graph(rows, "PaddedBatchDataset", numbers(5) + R"(
    function filled(x: int64) -> int64 = Fill(Pack((x)), x)
    m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
    case = $OP(m, 2, ([-1]), (int64 9), output_shapes=[[? ?]])
    elements case 3)",
            numbers(5) + R"(
    function filled(x: int64) -> int64 = Fill(Pack((x)), x)
    m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
    d = PaddedBatchDatasetV2(m, 2, ([-1]), (int64 9), false, output_shapes=[[? ?]])
    elements d 3)");
  add_graph(rows, "PaddedBatchDataset", numbers(5) + R"(
    function filled(x: int64) -> int64 = Fill(Pack((x)), x)
    m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
    case = $OP(m, 5, ([3]), (int64 9), output_shapes=[[? 3]])
    elements case 1)",
            numbers(5) + R"(
    function filled(x: int64) -> int64 = Fill(Pack((x)), x)
    m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
    d = PaddedBatchDatasetV2(m, 5, ([3]), (int64 9), false, output_shapes=[[? 3]])
    elements d 1)",
            "Attempted to pad to a smaller size than the input element");
  add_graphs(rows, {"PaddedBatchDatasetV2"}, numbers(5) + R"(
    function filled(x: int64) -> int64 = Fill(Pack((x)), x)
    m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
    case = $OP(m, 2, ([-1]), (int64 9), false, output_shapes=[[? ?]])
    elements case 3)");
  add_graphs(rows, {"PaddedBatchDatasetV2"}, numbers(5) + R"(
    function filled(x: int64) -> int64 = Fill(Pack((x)), x)
    m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
    case = $OP(m, 5, ([3]), (int64 9), false, output_shapes=[[? 3]])
    elements case 1)",
             "Attempted to pad to a smaller size than the input element");
  return rows;
}

}  // namespace

extern const OpCases kPaddedBatchDatasetCases{"padded_batch_dataset", padded_batch_dataset_rows};

}  // namespace rill
