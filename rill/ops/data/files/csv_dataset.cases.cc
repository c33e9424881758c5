#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> csv_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"CSVDataset", "ExperimentalCSVDataset"}, R"(
    WriteFile("$TMP/a.csv", "x,y,z\n1.5,\"a,b\",3\n,c,4\n")
    case = $OP(["$TMP/a.csv"], "", 1000, true, ",", true, "", [], ([7.5], [""], int64 []),
        output_types=[float string int64], output_shapes=[[] [] []])
    elements case 2)");
  add_graphs(rows, {"CSVDataset", "ExperimentalCSVDataset"}, R"(
    WriteFile("$TMP/a.csv", "1;NA;3\n")
    case = $OP(["$TMP/a.csv"], "", 1000, false, ";", false, "NA", [1 2], ([7], [8]),
        output_types=[int32 int32], output_shapes=[[] []])
    elements case 1)");
  add_graphs(rows, {"CSVDataset", "ExperimentalCSVDataset"}, R"(
    WriteFile("$TMP/a.csv", "1,two\n")
    case = $OP(["$TMP/a.csv"], "", 1000, false, ",", true, "", [], ([7], [8]),
        output_types=[int32 int32], output_shapes=[[] []])
    elements case 1)",
             "Field 1 in record is not a valid int32: two");
  return rows;
}

}  // namespace

extern const OpCases kCsvDatasetCases{"csv_dataset", csv_dataset_rows};

}  // namespace rill
