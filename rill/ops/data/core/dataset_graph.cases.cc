#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> dataset_graph_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"DatasetToGraph"}, numbers(3) + R"(
    case = $OP(n)
    back = TakeDataset(DatasetFromGraph(case), 9, output_types=[int64], output_shapes=[[]])
    elements back 3)");
  add_graphs(rows, {"DatasetFromGraph"}, numbers(3) + R"(
    case = $OP(DatasetToGraph(SkipDataset(n, 1)))
    back = TakeDataset(case, 9, output_types=[int64], output_shapes=[[]])
    elements back 2)");
  add_graphs(rows, {"WrapDatasetVariant"}, numbers(3) + R"(
    case = $OP(n)
    back = TakeDataset(UnwrapDatasetVariant(case), 9, output_types=[int64], output_shapes=[[]])
    elements back 3)");
  add_graphs(rows, {"UnwrapDatasetVariant"}, numbers(3) + R"(
    case = $OP(WrapDatasetVariant(n))
    back = TakeDataset(case, 9, output_types=[int64], output_shapes=[[]])
    elements back 3)");
  return rows;
}

}  // namespace

extern const OpCases kDatasetGraphCases{"dataset_graph", dataset_graph_rows};

}  // namespace rill
