#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBroadcastCases{
    "broadcast", [] {
      using I = std::int32_t;
      const auto ints = [](std::initializer_list<I> v) {
        return tensor<I>({static_cast<std::int64_t>(v.size())}, v);
      };
      return std::vector<OpCase>{
          {.op = "BroadcastTo", .in = {sequence<float>({1, 3}), ints({2, 2, 3})}},
          {.op = "BroadcastTo", .in = {sequence<float>({2, 1}), ints({2, 4})}},
          {.op = "BroadcastTo", .in = {scalar<float>(3), tensor<std::int64_t>({1}, {4})}},
          {.op = "BroadcastTo", .in = {sequence<float>({1, 3}), ints({0, 3})}, .name = "empty"},
          {.op = "BroadcastTo", .in = {sequence<std::int64_t>({3, 1, 2}), ints({3, 2, 2})}},
          {.op = "BroadcastTo",
           .in = {sequence<float>({2, 3}), ints({2, 4})},
           .name = "incompatible",
           .error = "Incompatible shapes: \\[2,3\\] vs. \\[2,4\\]"},
          {.op = "BroadcastTo",
           .in = {sequence<float>({2, 3}), ints({3})},
           .name = "too_few",
           .error = "Rank of input \\(2\\) must be no greater than rank of output shape \\(1\\)"},
          {.op = "BroadcastTo",
           .in = {sequence<float>({1, 3}), ints({-1, 3})},
           .name = "negative",
           .error = "Dimension -1 must be >= 0"},
          {.op = "BroadcastArgs", .in = {ints({2, 1}), ints({3})}},
          {.op = "BroadcastArgs",
           .in = {tensor<std::int64_t>({0}, {}), tensor<std::int64_t>({2}, {4, 5})}},
          {.op = "BroadcastArgs",
           .in = {ints({2, 2}), ints({3})},
           .name = "args_incompatible",
           .error = "Incompatible shapes: \\[2,2\\] vs. \\[3\\]"},
          {.op = "BroadcastGradientArgs", .in = {ints({2, 1, 4}), ints({3, 1})}},
          {.op = "BroadcastGradientArgs", .in = {ints({1, 1}), ints({1, 1})}},
          {.op = "BroadcastGradientArgs", .in = {ints({5, 1}), ints({1})}},
          {.op = "BroadcastGradientArgs", .in = {ints({1, 2}), ints({1, 1, 2})}},
          {.op = "BroadcastGradientArgs",
           .in = {tensor<std::int64_t>({2}, {2, 3}), tensor<std::int64_t>({0}, {})}},
          {.op = "BroadcastGradientArgs",
           .in = {ints({2, 2}), ints({3})},
           .name = "gradient_incompatible",
           .error = "Incompatible shapes: \\[2,2\\] vs. \\[3\\]"},
      };
    }};

}  // namespace rill
