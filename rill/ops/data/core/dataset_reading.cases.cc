#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> dataset_reading_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"DatasetCardinality", "ExperimentalDatasetCardinality"}, numbers(5) + R"(
    case = $OP(n))");
  add_graphs(rows, {"DatasetCardinality", "ExperimentalDatasetCardinality"}, numbers(5) + R"(
    case = $OP(RepeatDataset(n, -1)))");
  add_graphs(rows, {"DatasetCardinality", "ExperimentalDatasetCardinality"}, numbers(5) + R"(
    function even(x: int64) -> bool = Equal(FloorMod(x, int64 2), int64 0)
    case = $OP(FilterDataset(n, (), predicate=even)))");
  add_graphs(rows, {"DatasetToTFRecord", "ExperimentalDatasetToTFRecord"}, R"(
    words = TensorSliceDataset((["one" "two"]), output_shapes=[[]])
    case = $OP(words, "$TMP/a", "")
    read = TFRecordDataset(["$TMP/a"], "", 0)
    elements read 2)");
  add_graphs(rows, {"DatasetToTFRecord", "ExperimentalDatasetToTFRecord"}, R"(
    words = TensorSliceDataset((["one" "two"]), output_shapes=[[]])
    case = $OP(words, "$TMP/a", "ZLIB")
    read = TFRecordDataset(["$TMP/a"], "ZLIB", 0)
    elements read 2)");
  return rows;
}

}  // namespace

extern const OpCases kDatasetReadingCases{"dataset_reading", dataset_reading_rows};

}  // namespace rill
