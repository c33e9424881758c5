#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kUniqueDatasetCases{
    "unique_dataset", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"UniqueDataset", "ExperimentalUniqueDataset"}, R"(
        d = TensorSliceDataset((["a" "b" "a" "c" "b"]), output_shapes=[[]])
        case = $OP(d)
        elements case 3)");
      return rows;
    }};

}  // namespace rill
