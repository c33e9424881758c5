#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> random_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"RandomDataset"}, R"(
    case = $OP(3, 7, output_types=[int64], output_shapes=[[]])
    elements case 4)");
  add_graph(rows, "ExperimentalRandomDataset", R"(
    case = $OP(3, 7, output_types=[int64], output_shapes=[[]])
    elements case 4)",
            R"(
    d = RandomDataset(3, 7, output_types=[int64], output_shapes=[[]])
    elements d 4)");
  add_graphs(rows, {"SamplingDataset"}, numbers(20) + R"(
    case = $OP(n, 0.4, 3, 7)
    elements case 4)");
  add_graphs(rows, {"SamplingDataset"}, numbers(4) + R"(
    case = $OP(n, 1.0, 3, 7)
    elements case 4)");
  return rows;
}

}  // namespace

extern const OpCases kRandomDatasetCases{"random_dataset", random_dataset_rows};

}  // namespace rill
