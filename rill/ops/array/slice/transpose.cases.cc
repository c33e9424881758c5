#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kTransposeCases{
    "transpose", [] {
      using F = float;
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "Transpose", .in = {sequence<F>({2, 3}), tensor<I>({2}, {1, 0})}},
          {.op = "Transpose", .in = {sequence<F>({2, 3, 4}), tensor<std::int64_t>({3}, {2, 0, 1})}},
          {.op = "Transpose", .in = {sequence<F>({2, 3, 4}), tensor<I>({3}, {0, 2, 1})}},
          {.op = "Transpose", .in = {sequence<F>({2, 3, 4}), tensor<I>({3}, {1, 0, 2})}},
          {.op = "Transpose", .in = {sequence<F>({0, 3}), tensor<I>({2}, {1, 0})}, .name = "empty"},
          {.op = "Transpose", .in = {scalar<F>(1), tensor<I>({0}, {})}, .name = "scalar"},
          {.op = "Transpose", .in = {strings({1, 2}, {"a", "b"}), tensor<I>({2}, {1, 0})}},
          {.op = "Transpose", .in = {sequence<std::uint8_t>({20, 33}), tensor<I>({2}, {1, 0})}},
          {.op = "Transpose", .in = {random<half>({17, 5, 19}, 1), tensor<I>({3}, {2, 1, 0})}},
          {.op = "Transpose",
           .in = {random<std::complex<double>>({5, 7}, 1), tensor<I>({2}, {1, 0})}},
          {.op = "Transpose",
           .in = {random<F>({8, 32, 40, 3}, 1), tensor<I>({4}, {0, 3, 1, 2})},
           .name = "nhwc_to_nchw"},
          {.op = "Transpose",
           .in = {random<F>({500, 300}, 1), tensor<I>({2}, {1, 0})},
           .name = "large"},
          {.op = "Transpose",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, 0})},
           .name = "repeated",
           .error = "1 is missing from \\{0,0\\}"},
          {.op = "Transpose",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, 2})},
           .name = "outside",
           .error = "2 is out of range"},
          {.op = "Transpose",
           .in = {sequence<F>({2, 3}), tensor<I>({1}, {0})},
           .name = "too_short",
           .error = "transpose expects a vector of size 2. But input\\(1\\) is a vector of size 1"},
          {.op = "ConjugateTranspose",
           .in = {random<std::complex<float>>({2, 3}, 3), tensor<I>({2}, {1, 0})}},
          {.op = "ConjugateTranspose", .in = {sequence<F>({2, 3}), tensor<I>({2}, {1, 0})}},
          {.op = "InvertPermutation", .in = {tensor<I>({4}, {3, 0, 2, 1})}},
          {.op = "InvertPermutation", .in = {tensor<std::int64_t>({0}, {})}},
          {.op = "InvertPermutation",
           .in = {tensor<I>({2}, {0, 0})},
           .name = "duplicated",
           .error = "0 is duplicated in the input"},
          {.op = "InvertPermutation",
           .in = {tensor<I>({2}, {0, 2})},
           .name = "not_between",
           .error = "2 is not between 0 and 2"},
      };
    }};

}  // namespace rill
