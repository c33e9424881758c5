#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> shuffle_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ShuffleDataset"}, numbers(6) + R"(
    case = $OP(n, 3, 1, 2, reshuffle_each_iteration=false)
    elements case 6
    elements case 6)");
  add_graphs(rows, {"ShuffleDataset"}, numbers(6) + R"(
    case = $OP(n, 3, 1, 2)
    elements case 6
    elements case 6)");
  add_graphs(rows, {"ShuffleDataset"}, numbers(6) + R"(
    case = $OP(n, 0, 1, 2)
    elements case 6)",
             "buffer_size must be greater than zero|buffer_size");
  add_graphs(rows, {"ShuffleAndRepeatDataset"}, numbers(4) + R"(
    case = $OP(n, 3, 1, 2, 2)
    elements case 8)");
  add_graph(rows, "ShuffleDatasetV2", numbers(6) + R"(
    seeds = AnonymousRandomSeedGenerator(1, 2)
    case = $OP(n, 3, seeds)
    elements case 6)",
            numbers(6) + R"(
    d = ShuffleDataset(n, 3, 1, 2)
    elements d 6)");
  add_graph(rows, "AnonymousRandomSeedGenerator", numbers(6) + R"(
    case = $OP(1, 2)
    shuffled = ShuffleDatasetV2(n, 3, case)
    elements shuffled 6)",
            numbers(6) + R"(
    shuffled = ShuffleDataset(n, 3, 1, 2)
    elements shuffled 6)");
  add_graph(rows, "DeleteRandomSeedGenerator", R"(
    seeds = AnonymousRandomSeedGenerator(1, 2)
    case = $OP(seeds, seeds:1))",
            "NoOp()");
  return rows;
}

}  // namespace

extern const OpCases kShuffleDatasetCases{"shuffle_dataset", shuffle_dataset_rows};

}  // namespace rill
