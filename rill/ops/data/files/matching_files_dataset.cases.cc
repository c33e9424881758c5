#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> matching_files_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"MatchingFilesDataset", "ExperimentalMatchingFilesDataset"}, R"(
    WriteFile("$TMP/a.txt", "")
    WriteFile("$TMP/b.txt", "")
    WriteFile("$TMP/c.dat", "")
    case = $OP(["$TMP/*.txt"])
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kMatchingFilesDatasetCases{"matching_files_dataset",
                                                matching_files_dataset_rows};

}  // namespace rill
