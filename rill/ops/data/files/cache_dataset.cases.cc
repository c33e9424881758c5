#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> cache_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"CacheDataset"}, numbers(3) + R"(
    case = $OP(n, "")
    elements case 3
    elements case 3)");
  // The second time it comes from the file.
  add_graphs(rows, {"CacheDataset"}, numbers(3) + R"(
    case = $OP(n, "$TMP/cache")
    elements case 3
    elements case 3
    fetch MatchingFiles("$TMP/*"))");
  add_graphs(rows, {"CacheDatasetV2"}, numbers(3) + R"(
    memory = AnonymousMemoryCache()
    case = $OP(n, "", memory)
    elements case 3
    elements case 3)");
  add_graphs(rows, {"AnonymousMemoryCache"}, numbers(3) + R"(
    case = $OP()
    cached = CacheDatasetV2(n, "", case)
    elements cached 3)");
  add_graph(rows, "DeleteMemoryCache", R"(
    memory = AnonymousMemoryCache()
    case = $OP(memory, memory:1))",
            "NoOp()");
  return rows;
}

}  // namespace

extern const OpCases kCacheDatasetCases{"cache_dataset", cache_dataset_rows};

}  // namespace rill
