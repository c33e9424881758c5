#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMapDatasetCases{
    "map_dataset", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"MapDataset", "ExperimentalMapDataset"}, numbers(3) + R"(
        function parts(x: int64, y: int64) -> int64, string = Mul(x, y), AsString(x)
        case = $OP(n, (int64 10), f=parts, output_types=[int64 string], output_shapes=[[] []])
        elements case 3)");
      add_graphs(rows, {"MapDataset", "ExperimentalMapDataset"}, numbers(3) + R"(
        function fails(x: int64) -> int64 = FloorDiv(int64 6, x)
        case = $OP(n, (), f=fails)
        elements case 1)",
                 "[Dd]ivision by zero|zero");
      return rows;
    }};

}  // namespace rill
