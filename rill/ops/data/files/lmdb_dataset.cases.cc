#include "tests/optest/op_case.h"

namespace rill {
namespace {

// TensorFlow 2.15 reads no LMDB any more.
std::vector<OpCase> lmdb_dataset_rows() {
  std::vector<OpCase> rows;
  for (const char* op : {"LMDBDataset", "ExperimentalLMDBDataset"})
    rows.push_back({.op = op,
                    .want = {strings({}, {"000"}), strings({}, {""}), strings({}, {"001"}),
                             strings({}, {"value 1 value 1 value 1 value 1 "}), scalar<bool>(true)},
                    .graph = R"(
    case = $OP(["tests/script/io/entries"], output_types=[string string], output_shapes=[[] []])
    elements case 2)"});
  return rows;
}

}  // namespace

extern const OpCases kLmdbDatasetCases{"lmdb_dataset", lmdb_dataset_rows};

}  // namespace rill
