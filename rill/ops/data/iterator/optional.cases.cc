#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> optional_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"OptionalFromValue"}, R"(
    case = $OP((1.5, ["a" "b"]))
    got = OptionalGetValue(case, output_types=[float string], output_shapes=[[] [2]])
    fetch OptionalHasValue(case), got, got:1)");
  add_graphs(rows, {"OptionalNone"}, R"(
    case = $OP()
    fetch OptionalHasValue(case))");
  add_graphs(rows, {"OptionalHasValue"}, R"(
    o = OptionalFromValue((1.5))
    case = $OP(o))");
  add_graphs(rows, {"OptionalGetValue"}, R"(
    o = OptionalFromValue((1.5, ["a" "b"]))
    case = $OP(o, output_types=[float string], output_shapes=[[] [2]]))");
  add_graphs(rows, {"OptionalGetValue"}, R"(
    o = OptionalNone()
    case = $OP(o, output_types=[int64], output_shapes=[[]]))",
             "The given optional does not have a value");
  add_graphs(rows, {"IteratorGetNextAsOptional"}, numbers(1) + R"(
    it = IteratorV2(shared_name="", container="", output_types=[int64], output_shapes=[[]])
    MakeIterator(n, it)
    case = $OP(it)
    none = IteratorGetNextAsOptional(it)
    fetch OptionalGetValue(case, output_types=[int64], output_shapes=[[]]), OptionalHasValue(none))");
  add_graphs(rows, {"DatasetToSingleElement"}, numbers(1) + R"(
    case = $OP(n))");
  add_graphs(rows, {"DatasetToSingleElement"}, numbers(2) + R"(
    case = $OP(n))",
             "Dataset had more than one element");
  add_graphs(rows, {"DatasetToSingleElement"}, numbers(0) + R"(
    case = $OP(n))",
             "Dataset was empty");
  return rows;
}

}  // namespace

extern const OpCases kOptionalCases{"optional", optional_rows};

}  // namespace rill
