#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> iterator_handle_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"AnonymousIterator", "AnonymousIteratorV2"}, numbers(3) + R"(
    case = $OP(output_types=[int64], output_shapes=[[]])
    MakeIterator(n, case)
    fetch IteratorGetNext(case), IteratorGetNext(case))");
  add_graphs(rows, {"DeleteIterator"}, R"(
    it = AnonymousIteratorV2(output_types=[int64], output_shapes=[[]])
    case = $OP(it, it:1))");
  add_graphs(rows, {"IteratorToStringHandle"}, numbers(3) + R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    case = $OP(it)
    same = IteratorFromStringHandleV2(case, output_types=[int64], output_shapes=[[]])
    fetch Shape(case), IteratorGetNext(same), IteratorGetNext(it))");
  add_graphs(rows, {"IteratorFromStringHandle", "IteratorFromStringHandleV2"}, numbers(3) + R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    handle = IteratorToStringHandle(it)
    case = $OP(handle, output_types=[int64], output_shapes=[[]])
    fetch IteratorGetNext(case), IteratorGetNext(it))");
  add_graphs(rows, {"IteratorFromStringHandle", "IteratorFromStringHandleV2"}, R"(
    case = $OP("no handle"))",
             "Could not parse string_handle as a valid ResourceHandle");
  add_graphs(rows, {"IteratorGetDevice", "ExperimentalIteratorGetDevice"}, R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    case = $OP(it))");
  add_graphs(rows, {"OneShotIterator"}, R"(
    function make() -> variant = RangeDataset(int64 3, int64 5, int64 1, output_types=[int64],
        output_shapes=[[]])
    case = $OP(dataset_factory=make, output_types=[int64], output_shapes=[[]])
    fetch IteratorGetNext(case), IteratorGetNext(case))");
  add_graphs(rows, {"OneShotIterator"}, R"(
    function make() -> int64 = Identity(int64 3)
    case = $OP(dataset_factory=make, output_types=[int64], output_shapes=[[]])
    fetch IteratorGetNext(case))",
             "must return a single");
  return rows;
}

}  // namespace

extern const OpCases kIteratorHandleCases{"iterator_handle", iterator_handle_rows};

}  // namespace rill
