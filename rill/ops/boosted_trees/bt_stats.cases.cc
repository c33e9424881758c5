#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBtStatsCases{
    "bt_stats", [] {
      const Tensor nodes = tensor<std::int32_t>({4}, {0, 1, 0, 1});
      const Tensor gradients = random<float>({4, 1}, 1), hessians = random<float>({4, 1}, 2, 0, 1);
      const auto buckets = [](std::initializer_list<std::int32_t> of) {
        return tensor<std::int32_t>({4}, of);
      };
      const AttrMap sizes = {{"max_splits", std::int64_t{3}}, {"num_buckets", std::int64_t{3}}};
      return std::vector<OpCase>{
          {.op = "BoostedTreesMakeStatsSummary",
           .in = {nodes, gradients, hessians, list({buckets({0, 1, 1, 2}), buckets({2, 2, 0, 1})})},
           .attrs = sizes},
          {.op = "BoostedTreesAggregateStats",
           .in = {nodes, gradients, hessians, tensor<std::int32_t>({4, 1}, {0, 1, -1, 2})},
           .attrs = sizes},
          {.op = "BoostedTreesAggregateStats",
           .in = {nodes, random<float>({4, 2}, 3), random<float>({4, 4}, 4, 0, 1),
                  tensor<std::int32_t>({4, 1}, {0, 1, 1, 2})},
           .attrs = sizes},
          {.op = "BoostedTreesSparseAggregateStats",
           .in = {nodes, gradients, hessians, tensor<std::int32_t>({3, 2}, {0, 0, 1, 1, 2, 0}),
                  tensor<std::int32_t>({3}, {1, 0, 2}), tensor<std::int32_t>({2}, {4, 2})},
           .attrs = sizes},
      };
    }};

}  // namespace rill
