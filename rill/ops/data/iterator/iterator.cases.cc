#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> iterator_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"Iterator", "IteratorV2"}, numbers(3) + R"(
    case = $OP(shared_name="it", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, case)
    fetch IteratorGetNext(case), IteratorGetNext(case))");
  // A second time it begins anew.
  add_graphs(rows, {"MakeIterator"}, numbers(3) + R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    first = IteratorGetNext(it)
    case = $OP(SkipDataset(n, 2), it)
    fetch first, IteratorGetNext(it))");
  add_graphs(rows, {"IteratorGetNext", "IteratorGetNextSync"}, R"(
    pairs = TensorSliceDataset(([1 2], ["a" "b"]), output_shapes=[[] []])
    it = IteratorV2(shared_name="", container="", output_types=[int32 string],
        output_shapes=[[] []])
    MakeIterator(pairs, it)
    case = $OP(it)
    fetch case, case:1)");
  add_graphs(rows, {"IteratorGetNext", "IteratorGetNextSync"}, numbers(0) + R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    case = $OP(it))",
             "End of sequence");
  add_graphs(rows, {"IteratorGetNext", "IteratorGetNextSync"}, R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    case = $OP(it))",
             "has not been initialized");
  return rows;
}

}  // namespace

extern const OpCases kIteratorCases{"iterator", iterator_rows};

}  // namespace rill
