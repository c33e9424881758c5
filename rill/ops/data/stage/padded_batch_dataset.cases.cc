#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPaddedBatchDatasetCases{
    "padded_batch_dataset", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"PaddedBatchDataset"}, numbers(5) + R"(
        function filled(x: int64) -> int64 = Fill(Pack((x)), x)
        m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
        case = $OP(m, 2, ([-1]), (int64 9), output_shapes=[[? ?]])
        elements case 3)");
      add_graphs(rows, {"PaddedBatchDataset"}, numbers(5) + R"(
        function filled(x: int64) -> int64 = Fill(Pack((x)), x)
        m = MapDataset(n, (), f=filled, output_types=[int64], output_shapes=[[?]])
        case = $OP(m, 5, ([3]), (int64 9), output_shapes=[[? 3]])
        elements case 1)",
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
    }};

}  // namespace rill
