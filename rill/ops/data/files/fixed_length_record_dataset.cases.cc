#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kFixedLengthRecordDatasetCases{
    "fixed_length_record_dataset", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"FixedLengthRecordDataset"}, R"(
        WriteFile("$TMP/a", "Habcdef..")
        case = $OP(["$TMP/a"], 1, 3, 2, 0)
        elements case 2)");
      add_graphs(rows, {"FixedLengthRecordDatasetV2"}, R"(
        WriteFile("$TMP/a", "Habcdef..")
        case = $OP(["$TMP/a" "$TMP/a"], 1, 3, 2, 0, "")
        elements case 4)");
      add_graphs(rows, {"FixedLengthRecordDataset"}, R"(
        WriteFile("$TMP/a", "abcd")
        case = $OP(["$TMP/a"], 0, 3, 0, 0)
        elements case 2)",
                 "not an exact multiple of the record length|Excepted|record");
      return rows;
    }};

}  // namespace rill
