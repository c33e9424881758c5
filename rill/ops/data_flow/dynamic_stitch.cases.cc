#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor indices(Shape shape, std::initializer_list<std::int32_t> items) {
  return tensor<std::int32_t>(std::move(shape), items);
}

}  // namespace

extern const OpCases kDynamicStitchCases{
    "dynamic_stitch", [] {
      std::vector<OpCase> cases{
          {.op = "DynamicPartition",
           .in = {sequence<float>({5, 2}), indices({5}, {0, 1, 0, 2, 1})},
           .attrs = {{"num_partitions", 4}}},
          {.op = "DynamicPartition",
           .in = {sequence<std::int64_t>({2, 3}), indices({2, 3}, {1, 1, 0, 0, 1, 0})},
           .attrs = {{"num_partitions", 2}}},
          {.op = "DynamicPartition",
           .in = {strings({3}, {"a", "b", "c"}), indices({3}, {1, 0, 1})},
           .attrs = {{"num_partitions", 2}}},
          {.op = "DynamicPartition",
           .in = {tensor<float>({0, 2}, {}), indices({0}, {})},
           .attrs = {{"num_partitions", 2}}},
          {.op = "DynamicPartition",
           .in = {sequence<float>({2}), indices({2}, {0, 2})},
           .attrs = {{"num_partitions", 2}},
           .name = "partition_outside",
           .error = "partitions\\[1\\] = 2 is not in \\[0, 2\\)"},
          {.op = "DynamicPartition",
           .in = {sequence<float>({3}), indices({2}, {0, 1})},
           .attrs = {{"num_partitions", 2}},
           .name = "partition_too_short",
           .error = "data.shape must start with partitions.shape|Dimensions must be equal|"
                    "must be equal, but are 3 and 2"},
      };
      for (const char* op : {"DynamicStitch", "ParallelDynamicStitch"}) {
        cases.push_back({.op = op,
                         .in = {list({indices({2}, {0, 2}), indices({2}, {1, 3})}),
                                list({sequence<float>({2, 3}), sequence<float>({2, 3}, 10)})}});
        cases.push_back(
            {.op = op,
             .in = {list({indices({}, {1}), indices({1, 2}, {2, 0})}),
                    list({sequence<std::int32_t>({2}), sequence<std::int32_t>({1, 2, 2}, 5)})}});
        cases.push_back(
            {.op = op, .in = {list({indices({0}, {})}), list({tensor<float>({0, 2}, {})})}});
      }
      cases.push_back({.op = "DynamicStitch",
                       .in = {list({indices({2}, {0, 1}), indices({1}, {0})}),
                              list({sequence<float>({2}), sequence<float>({1}, 7)})},
                       .name = "last_one_wins",
                       .grad = false});
      cases.push_back({.op = "DynamicStitch",
                       .in = {list({indices({2}, {0, -1})}), list({sequence<float>({2})})},
                       .name = "negative_index",
                       .error = "indices\\[1\\] is out of range"});
      return cases;
    }};

}  // namespace rill
