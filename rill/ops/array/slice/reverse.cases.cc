#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kReverseCases{
    "reverse", [] {
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "Reverse", .in = {sequence<float>({2, 3}), tensor<bool>({2}, {true, false})}},
          {.op = "ReverseV2", .in = {sequence<float>({2, 3}), tensor<I>({1}, {-1})}},
          {.op = "ReverseV2",
           .in = {sequence<std::int64_t>({2, 3, 2}), tensor<std::int64_t>({2}, {0, 2})}},
          {.op = "ReverseV2",
           .in = {sequence<float>({2, 3}), tensor<I>({0}, {})},
           .name = "nothing"},
          {.op = "ReverseV2",
           .in = {sequence<float>({0, 3}), tensor<I>({1}, {0})},
           .name = "empty"},
          {.op = "ReverseV2", .in = {strings({3}, {"a", "b", "c"}), tensor<I>({1}, {0})}},
          {.op = "ReverseV2",
           .in = {sequence<float>({2, 3}), tensor<I>({1}, {2})},
           .name = "axis_outside",
           .error = "'axis'\\[0\\] = 2 is out of valid range"},
          {.op = "ReverseV2",
           .in = {sequence<float>({2, 3}), tensor<I>({2}, {1, -1})},
           .name = "axis_twice",
           .error = "axis 1 specified more than once"},
          {.op = "Reverse",
           .in = {sequence<float>({2, 3}), tensor<bool>({1}, {true})},
           .name = "too_few",
           .error = "'dims' must have the same number of values as 'input' has dimensions"},
      };
    }};

}  // namespace rill
