#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> text_line_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"TextLineDataset"}, R"(
    WriteFile("$TMP/a", "one\n\ntwo")
    WriteFile("$TMP/b", "three\r\n")
    case = $OP(["$TMP/a" "$TMP/b"], "", 0)
    elements case 4)");
  add_graphs(rows, {"TextLineDataset"}, R"(
    case = $OP(["$TMP/none"], "", 0)
    elements case 1)",
             "No such file or directory");
  return rows;
}

}  // namespace

extern const OpCases kTextLineDatasetCases{"text_line_dataset", text_line_dataset_rows};

}  // namespace rill
