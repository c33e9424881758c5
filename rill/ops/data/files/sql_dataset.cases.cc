#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> sql_dataset_rows() {
  std::vector<OpCase> rows;
  // A database with a table t(name, n) of two rows.
  add_graphs(rows, {"SqlDataset", "ExperimentalSqlDataset"}, R"(
    WriteFile("$TMP/t.db",
        DecodeCompressed(DecodeBase64(StringJoin(("eNoLDvTJLElVSMsvyk0sUTBmYGJgZGRwUFBgYAAyIRgGGIGYBY1PCDAx6CUz8oIU",
        "M55hAKJRQENgxMgmzs_PGFqSmJSTWlLC5Bzk6hjiqhDi6OTjqlCikZeYm6pQklpR",
        "oqOQp5CZV5KanlqkCYobJsbPDIy_gMQoGAmAlYmZnzGJiYWRmZ8zEQBL-hsP"))),
        compression_type="ZLIB"))
    case = $OP("sqlite", "$TMP/t.db", "select name, n from t order by n",
        output_types=[string int32], output_shapes=[[] []])
    elements case 2)");
  add_graphs(rows, {"SqlDataset", "ExperimentalSqlDataset"}, R"(
    WriteFile("$TMP/t.db",
        DecodeCompressed(DecodeBase64(StringJoin(("eNoLDvTJLElVSMsvyk0sUTBmYGJgZGRwUFBgYAAyIRgGGIGYBY1PCDAx6CUz8oIU",
        "M55hAKJRQENgxMgmzs_PGFqSmJSTWlLC5Bzk6hjiqhDi6OTjqlCikZeYm6pQklpR",
        "oqOQp5CZV5KanlqkCYobJsbPDIy_gMQoGAmAlYmZnzGJiYWRmZ8zEQBL-hsP"))),
        compression_type="ZLIB"))
    case = $OP("sqlite", "$TMP/t.db", "select missing from t", output_types=[string],
        output_shapes=[[]])
    elements case 1)",
             "no such column: missing");
  return rows;
}

}  // namespace

extern const OpCases kSqlDatasetCases{"sql_dataset", sql_dataset_rows};

}  // namespace rill
