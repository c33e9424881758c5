#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> thread_pool_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"ThreadPoolHandle"}, numbers(3) + R"(
    case = $OP(num_threads=1, display_name="pool")
    d = ThreadPoolDataset(n, case)
    elements d 3)");
  add_graphs(rows, {"ThreadPoolDataset"}, numbers(3) + R"(
    h = ThreadPoolHandle(num_threads=1, display_name="pool")
    case = $OP(n, h)
    elements case 3)");
  add_graphs(rows, {"ExperimentalThreadPoolHandle"}, numbers(3) + R"(
    case = $OP(num_threads=1, display_name="pool")
    d = ExperimentalThreadPoolDataset(n, case)
    elements d 3)");
  add_graphs(rows, {"ExperimentalThreadPoolDataset"}, numbers(3) + R"(
    h = ExperimentalThreadPoolHandle(num_threads=1, display_name="pool")
    case = $OP(n, h)
    elements case 3)");
  add_graphs(rows,
             {"PrivateThreadPoolDataset", "ExperimentalPrivateThreadPoolDataset",
              "MaxIntraOpParallelismDataset", "ExperimentalMaxIntraOpParallelismDataset"},
             numbers(3) + R"(
    case = $OP(n, 1)
    elements case 3)");
  add_graphs(rows, {"PrivateThreadPoolDataset", "ExperimentalPrivateThreadPoolDataset"},
             numbers(3) + R"(
    case = $OP(n, -1)
    elements case 3)",
             "num_threads.*must be");
  return rows;
}

}  // namespace

extern const OpCases kThreadPoolDatasetCases{"thread_pool_dataset", thread_pool_dataset_rows};

}  // namespace rill
