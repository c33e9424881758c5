#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> iterator_saving_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"SerializeIterator"}, numbers(5) + R"(
    it = IteratorV2(shared_name="a", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    two = IteratorGetNext(it)
    other = IteratorV2(shared_name="b", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, other)
    case = $OP(it)
    DeserializeIterator(other, case)
    fetch IteratorGetNext(other), IteratorGetNext(it))");
  add_graphs(rows, {"DeserializeIterator"}, numbers(5) + R"(
    it = IteratorV2(shared_name="a", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    IteratorGetNext(it)
    state = SerializeIterator(it)
    IteratorGetNext(it)
    case = $OP(it, state)
    fetch IteratorGetNext(it))");
  return rows;
}

}  // namespace

extern const OpCases kIteratorSavingCases{"iterator_saving", iterator_saving_rows};

}  // namespace rill
