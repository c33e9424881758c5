#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> map_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"MapDataset"}, numbers(3) + R"(
    function parts(x: int64, y: int64) -> int64, string = Mul(x, y), AsString(x)
    case = $OP(n, (int64 10), f=parts, output_types=[int64 string], output_shapes=[[] []])
    elements case 3)");
  add_graph(rows, "ExperimentalMapDataset", numbers(3) + R"(
    function parts(x: int64, y: int64) -> int64, string = Mul(x, y), AsString(x)
    case = $OP(n, (int64 10), f=parts, output_types=[int64 string], output_shapes=[[] []])
    elements case 3)",
            numbers(3) + R"(
    function parts(x: int64, y: int64) -> int64, string = Mul(x, y), AsString(x)
    d = MapDataset(n, (int64 10), f=parts, output_types=[int64 string], output_shapes=[[] []])
    elements d 3)");
  add_graphs(rows, {"MapDataset"}, numbers(3) + R"(
    function fails(x: int64) -> int64 = FloorDiv(int64 6, x)
    case = $OP(n, (), f=fails)
    elements case 1)",
             "[Dd]ivision by zero|zero");
  add_graph(rows, "ExperimentalMapDataset", numbers(3) + R"(
    function fails(x: int64) -> int64 = FloorDiv(int64 6, x)
    case = $OP(n, (), f=fails)
    elements case 1)",
            numbers(3) + R"(
    function fails(x: int64) -> int64 = FloorDiv(int64 6, x)
    d = MapDataset(n, (), f=fails)
    elements d 1)",
            "[Dd]ivision by zero|zero");
  return rows;
}

}  // namespace

extern const OpCases kMapDatasetCases{"map_dataset", map_dataset_rows};

}  // namespace rill
