#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPadCases{
    "pad", [] {
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "Pad", .in = {sequence<float>({2, 3}, 1), tensor<I>({2, 2}, {1, 0, 2, 1})}},
          {.op = "Pad", .in = {sequence<float>({2, 3}, 1), tensor<I>({2, 2}, {0, 0, 0, 0})}},
          {.op = "Pad", .in = {sequence<float>({0, 2}, 1), tensor<I>({2, 2}, {1, 1, 0, 0})}},
          {.op = "Pad", .in = {scalar<float>(3), tensor<I>({0, 2}, {})}, .name = "scalar"},
          {.op = "Pad", .in = {sequence<std::complex<double>>({2}, 1), tensor<I>({1, 2}, {1, 1})}},
          {.op = "Pad",
           .in = {random<float>({4, 30, 30, 8}, 1), tensor<I>({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0})},
           .name = "image"},
          {.op = "PadV2",
           .in = {sequence<float>({2, 3}), tensor<std::int64_t>({2, 2}, {1, 1, 0, 2}),
                  scalar<float>(9)},
           .grad = false},
          {.op = "PadV2",
           .in = {sequence<std::int8_t>({3}), tensor<I>({1, 2}, {2, 1}), scalar<std::int8_t>(-7)}},
          {.op = "Pad",
           .in = {sequence<float>({2, 3}), tensor<I>({1, 2}, {1, 1})},
           .name = "too_few",
           .error = "The first dimension of paddings must be the rank of inputs"},
          {.op = "Pad",
           .in = {sequence<float>({2, 3}), tensor<I>({2, 3}, {1, 1, 1, 1, 1, 1})},
           .name = "three_columns",
           .error = "paddings must be a matrix with 2 columns"},
          {.op = "Pad",
           .in = {sequence<float>({2, 3}), tensor<I>({2, 2}, {1, 1, 0, -1})},
           .name = "negative",
           .error = "Paddings must be non-negative"},
          {.op = "PadV2",
           .in = {sequence<float>({2}), tensor<I>({1, 2}, {1, 1}), sequence<float>({2})},
           .name = "value_not_scalar",
           .error = "constant_values must be a scalar. Found: \\[2\\]"},
      };
    }};

}  // namespace rill
