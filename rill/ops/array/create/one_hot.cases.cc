#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kOneHotCases{
    "one_hot", [] {
      using F = float;
      using I = std::int32_t;
      const auto on = scalar<F>(1), off = scalar<F>(0);
      return std::vector<OpCase>{
          {.op = "OneHot", .in = {tensor<I>({3}, {0, 5, 2}), scalar<I>(3), on, off}},
          {.op = "OneHot",
           .in = {tensor<I>({3}, {0, -1, 2}), scalar<I>(3), on, off},
           .attrs = {{"axis", 0}}},
          {.op = "OneHot",
           .in = {tensor<std::int64_t>({2, 2}, {0, 1, 2, 0}), scalar<I>(3), scalar<double>(5),
                  scalar<double>(-1)},
           .attrs = {{"axis", 1}}},
          {.op = "OneHot",
           .in = {tensor<std::uint8_t>({2}, {1, 0}), scalar<I>(2), scalar<bool>(true),
                  scalar<bool>(false)}},
          {.op = "OneHot",
           .in = {tensor<I>({2}, {1, 0}), scalar<I>(0), on, off},
           .name = "no_depth"},
          {.op = "OneHot", .in = {scalar<I>(1), scalar<I>(3), on, off}, .name = "one_index"},
          {.op = "OneHot",
           .in = {tensor<I>({2}, {1, 0}), scalar<I>(2), strings({}, {"y"}), strings({}, {"n"})}},
          {.op = "OneHot",
           .in = {tensor<I>({2}, {1, 0}), scalar<I>(-3), on, off},
           .name = "negative_depth",
           .error = "depth must be non-negative, got: -3"},
          {.op = "OneHot",
           .in = {tensor<I>({2}, {1, 0}), scalar<I>(3), on, off},
           .attrs = {{"axis", 2}},
           .name = "axis_outside",
           .error = "Expected axis to be -1 or between \\[0, 2\\).  But received: 2"},
          {.op = "OneHot",
           .in = {tensor<I>({2}, {1, 0}), scalar<I>(3), sequence<F>({1}), off},
           .name = "on_not_scalar",
           .error = "on_value must be a scalar, but got: \\[1\\]"},
      };
    }};

}  // namespace rill
