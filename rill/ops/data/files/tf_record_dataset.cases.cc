#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> tf_record_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"TFRecordDataset"}, R"(
    words = TensorSliceDataset((["one" "two"]), output_shapes=[[]])
    DatasetToTFRecord(words, "$TMP/a", "")
    case = $OP(["$TMP/a" "$TMP/a"], "", 0)
    elements case 4)");
  add_graphs(rows, {"TFRecordDataset"}, R"(
    WriteFile("$TMP/a", "these are not records at all")
    case = $OP(["$TMP/a"], "", 0)
    elements case 1)",
             "corrupted record at 0");
  return rows;
}

}  // namespace

extern const OpCases kTfRecordDatasetCases{"tf_record_dataset", tf_record_dataset_rows};

}  // namespace rill
