#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> range_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"RangeDataset"}, R"(
    case = $OP(7, 0, -3, output_types=[int64], output_shapes=[[]])
    elements case 3)");
  add_graphs(rows, {"RangeDataset"}, R"(
    case = $OP(7, 0, 1, output_types=[int64], output_shapes=[[]])
    elements case 0)");
  add_graphs(rows, {"RangeDataset"}, R"(
    case = $OP(0, 7, 0, output_types=[int64], output_shapes=[[]])
    elements case 0)",
             "step must be a non-zero integer");
  return rows;
}

}  // namespace

extern const OpCases kRangeDatasetCases{"range_dataset", range_dataset_rows};

}  // namespace rill
