#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> checking_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"AssertNextDataset", "ExperimentalAssertNextDataset"}, numbers(5) + R"(
    case = $OP(n, ["FiniteTake"])
    two = TakeDataset(case, 2)
    elements two 2)");
  add_graphs(rows, {"AssertNextDataset", "ExperimentalAssertNextDataset"}, numbers(5) + R"(
    case = $OP(n, ["Skip"])
    two = TakeDataset(case, 2)
    elements two 2)",
             "Asserted (transformation matching )?'?Skip");
  add_graphs(rows, {"IgnoreErrorsDataset", "ExperimentalIgnoreErrorsDataset"}, numbers(3) + R"(
    function reciprocal(x: int64) -> float = CheckNumerics(Reciprocal(Cast(Sub(x, int64 1),
        DstT=float)), message="")
    m = MapDataset(n, (), f=reciprocal, output_types=[float], output_shapes=[[]])
    case = $OP(m)
    elements case 2)");
  add_graphs(rows, {"NonSerializableDataset", "ExperimentalNonSerializableDataset"},
             numbers(2) + R"(
    case = $OP(n)
    elements case 2)");
  add_graphs(rows, {"SleepDataset", "ExperimentalSleepDataset"}, numbers(2) + R"(
    case = $OP(n, 100)
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kCheckingDatasetCases{"checking_dataset", checking_dataset_rows};

}  // namespace rill
