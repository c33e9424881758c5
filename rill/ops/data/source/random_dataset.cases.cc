#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRandomDatasetCases{
    "random_dataset", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"RandomDataset", "ExperimentalRandomDataset"}, R"(
        case = $OP(3, 7, output_types=[int64], output_shapes=[[]])
        elements case 4)");
      add_graphs(rows, {"SamplingDataset"}, numbers(20) + R"(
        case = $OP(n, 0.4, 3, 7)
        elements case 4)");
      add_graphs(rows, {"SamplingDataset"}, numbers(4) + R"(
        case = $OP(n, 1.0, 3, 7)
        elements case 4)");
      return rows;
    }};

}  // namespace rill
