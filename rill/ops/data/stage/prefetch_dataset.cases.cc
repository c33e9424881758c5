#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPrefetchDatasetCases{"prefetch_dataset", [] {
                                             std::vector<OpCase> rows;
                                             add_graphs(rows, {"PrefetchDataset"}, numbers(3) + R"(
        case = $OP(n, 2)
        elements case 3)");
                                             add_graphs(rows, {"PrefetchDataset"}, numbers(3) + R"(
        case = $OP(n, -5)
        elements case 3)",
                                                        "buffer_size");
                                             return rows;
                                           }};

}  // namespace rill
