#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> batch_dataset_rows() {
  std::vector<OpCase> rows;
  add_graph(rows, "BatchDataset", numbers(5) + R"(
    case = $OP(n, 2, output_shapes=[[?]])
    elements case 3)",
            numbers(5) + R"(
    d = BatchDatasetV2(n, 2, false, output_shapes=[[?]])
    elements d 3)");
  add_graphs(rows, {"BatchDatasetV2"}, numbers(5) + R"(
    case = $OP(n, 2, true, output_shapes=[[2]])
    elements case 2)");
  add_graphs(rows, {"BatchDatasetV2"}, numbers(5) + R"(
    case = $OP(n, 3, false, parallel_copy=true, output_shapes=[[?]])
    elements case 2)");
  add_graphs(rows, {"BatchDataset"}, numbers(5) + R"(
    case = $OP(n, 0, output_shapes=[[?]])
    elements case 1)",
             "Batch size must be greater than zero");
  add_graphs(rows, {"BatchDatasetV2"}, numbers(5) + R"(
    case = $OP(n, 0, false, output_shapes=[[?]])
    elements case 1)",
             "Batch size must be greater than zero");
  return rows;
}

}  // namespace

extern const OpCases kBatchDatasetCases{"batch_dataset", batch_dataset_rows};

}  // namespace rill
