#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> fixed_length_record_dataset_rows() {
  std::vector<OpCase> rows;
  add_graph(rows, "FixedLengthRecordDataset", R"(
    WriteFile("$TMP/a", "Habcdef..")
    case = $OP(["$TMP/a"], 1, 3, 2, 0)
    elements case 2)",
            R"(
    WriteFile("$TMP/a", "Habcdef..")
    d = FixedLengthRecordDatasetV2(["$TMP/a"], 1, 3, 2, 0, "")
    elements d 2)");
  add_graphs(rows, {"FixedLengthRecordDatasetV2"}, R"(
    WriteFile("$TMP/a", "Habcdef..")
    case = $OP(["$TMP/a" "$TMP/a"], 1, 3, 2, 0, "")
    elements case 4)");
  add_graph(rows, "FixedLengthRecordDataset", R"(
    WriteFile("$TMP/a", "abcd")
    case = $OP(["$TMP/a"], 0, 3, 0, 0)
    elements case 2)",
            R"(
    WriteFile("$TMP/a", "abcd")
    d = FixedLengthRecordDatasetV2(["$TMP/a"], 0, 3, 0, 0, "")
    elements d 2)",
            "not an exact multiple of the record length|Excepted|record");
  return rows;
}

}  // namespace

extern const OpCases kFixedLengthRecordDatasetCases{"fixed_length_record_dataset",
                                                    fixed_length_record_dataset_rows};

}  // namespace rill
