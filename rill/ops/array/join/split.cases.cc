#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSplitCases{
    "split", [] {
      using F = float;
      using I = std::int32_t;
      using L = std::int64_t;
      return std::vector<OpCase>{
          {.op = "Split", .in = {scalar<I>(0), sequence<F>({4, 3})}, .attrs = {{"num_split", 2}}},
          {.op = "Split", .in = {scalar<I>(-1), sequence<F>({2, 6})}, .attrs = {{"num_split", 3}}},
          {.op = "Split", .in = {scalar<I>(1), sequence<F>({2, 0})}, .attrs = {{"num_split", 2}}},
          {.op = "Split",
           .in = {scalar<I>(0), strings({2}, {"a", "b"})},
           .attrs = {{"num_split", 2}}},
          {.op = "Split",
           .in = {scalar<I>(1), sequence<F>({2, 3})},
           .attrs = {{"num_split", 2}},
           .name = "uneven",
           .error = "Number of ways to split should evenly divide the split dimension, but got "
                    "split_dim 1 \\(size = 3\\) and num_split 2"},
          {.op = "Split",
           .in = {scalar<I>(2), sequence<F>({2, 4})},
           .attrs = {{"num_split", 2}},
           .name = "axis_outside",
           .error = "<= split_dim < input rank \\(2\\), but got 2"},
          {.op = "SplitV",
           .in = {sequence<F>({2, 4}), tensor<L>({2}, {1, 3}), scalar<I>(1)},
           .attrs = {{"num_split", 2}}},
          {.op = "SplitV",
           .in = {sequence<F>({4, 2}), tensor<I>({3}, {1, -1, 0}), scalar<I>(0)},
           .attrs = {{"num_split", 3}}},
          {.op = "SplitV",
           .in = {sequence<F>({2, 4}), tensor<L>({2}, {1, 2}), scalar<I>(1)},
           .attrs = {{"num_split", 2}},
           .name = "wrong_total",
           .error = "Determined shape must either match input shape along split_dim exactly"},
          {.op = "SplitV",
           .in = {sequence<F>({2, 4}), tensor<L>({2}, {-1, -1}), scalar<I>(1)},
           .attrs = {{"num_split", 2}},
           .name = "two_free",
           .error = "There can only be one -1 in the input"},
          {.op = "SplitV",
           .in = {sequence<F>({2, 4}), tensor<L>({2}, {6, -2}), scalar<I>(1)},
           .attrs = {{"num_split", 2}},
           .name = "negative",
           .error = "Split size at index 1 must be >= 0. Got: -2"},
          {.op = "SplitV",
           .in = {sequence<F>({2, 4}), tensor<L>({2}, {1, 3}), scalar<I>(1)},
           .attrs = {{"num_split", 3}},
           .name = "wrong_count",
           .error = "size of the split_tensor must be 1-D and have the same elements as outputs"},
          {.op = "Unpack", .in = {sequence<F>({2, 3})}, .attrs = {{"num", 2}}},
          {.op = "Unpack", .in = {sequence<F>({2, 3})}, .attrs = {{"num", 3}, {"axis", -1}}},
          {.op = "Unpack", .in = {strings({2}, {"a", "b"})}, .attrs = {{"num", 2}}},
          {.op = "Unpack",
           .in = {sequence<F>({2, 3})},
           .attrs = {{"num", 2}, {"axis", 1}},
           .name = "wrong_num",
           .error = "Input shape axis 1 must equal 2, got shape \\[2,3\\]"},
          {.op = "Unpack",
           .in = {sequence<F>({2, 3})},
           .attrs = {{"num", 2}, {"axis", 2}},
           .name = "unpack_axis_outside",
           .error = "axis = 2 not in \\[-2, 2\\)"},
      };
    }};

}  // namespace rill
