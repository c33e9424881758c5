#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> flat_map_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"FlatMapDataset"}, numbers(4) + R"(
    function up_to(x: int64) -> variant = RangeDataset(int64 0, x, int64 1, output_types=[int64],
        output_shapes=[[]])
    case = $OP(n, (), f=up_to)
    elements case 6)");
  add_graphs(rows, {"InterleaveDataset"}, numbers(3) + R"(
    function from(x: int64, y: int64) -> variant = RangeDataset(Mul(x, y), AddV2(Mul(x, y),
        int64 3), int64 1, output_types=[int64], output_shapes=[[]])
    case = $OP(n, (int64 10), 2, 2, f=from)
    elements case 9)");
  add_graphs(rows, {"InterleaveDataset"}, numbers(3) + R"(
    function up_to(x: int64) -> variant = RangeDataset(int64 0, x, int64 1, output_types=[int64],
        output_shapes=[[]])
    case = $OP(n, (), 0, 2, f=up_to)
    elements case 1)",
             "cycle_length must be greater than zero");
  return rows;
}

}  // namespace

extern const OpCases kFlatMapDatasetCases{"flat_map_dataset", flat_map_dataset_rows};

}  // namespace rill
