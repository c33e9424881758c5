#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> zip_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ZipDataset"}, numbers(3) + R"(
    words = TensorSliceDataset((["a" "b"]), output_shapes=[[]])
    case = $OP((n, words), output_types=[int64 string], output_shapes=[[] []])
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kZipDatasetCases{"zip_dataset", zip_dataset_rows};

}  // namespace rill
