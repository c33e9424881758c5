#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> parse_example_dataset_rows() {
  std::vector<OpCase> rows;
  // Two messages with int64 "a" and strings "s".
  add_graphs(rows, {"ParseExampleDataset", "ExperimentalParseExampleDataset"}, R"(
    strings = TensorDataset((DecodeBase64(Pack(("ChsKCgoBYRIFGgMKAQcKDQoBcxIICgYKAXgKAXk",
        "ChgKCgoBYRIFGgMKAQgKCgoBcxIFCgMKAXo")))), output_shapes=[[2]])
    case = $OP(strings, 1, (int64 [], [0.5]), sparse_keys=[], sparse_types=[],
        dense_keys=["a" "missing"], dense_shapes=[[1] [1]], output_types=[int64 float],
        output_shapes=[[? 1] [? 1]])
    elements case 1)");
  add_graphs(rows, {"ParseExampleDataset", "ExperimentalParseExampleDataset"}, R"(
    strings = TensorDataset((DecodeBase64(Pack(("ChsKCgoBYRIFGgMKAQcKDQoBcxIICgYKAXgKAXk",
        "ChgKCgoBYRIFGgMKAQgKCgoBcxIFCgMKAXo")))), output_shapes=[[2]])
    case = $OP(strings, 1, (), Tdense=[], sparse_keys=["s"], sparse_types=[string], dense_keys=[],
        dense_shapes=[], output_types=[variant], output_shapes=[[3]])
    first = DatasetToSingleElement(case)
    parts = DeserializeSparse(first, dtype=string)
    fetch parts, parts:1, parts:2)");
  return rows;
}

}  // namespace

extern const OpCases kParseExampleDatasetCases{"parse_example_dataset", parse_example_dataset_rows};

}  // namespace rill
