#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSliceCases{
    "slice", [] {
      using F = float;
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "Slice",
           .in = {sequence<F>({3, 4}), tensor<I>({2}, {1, 0}), tensor<I>({2}, {2, 3})}},
          {.op = "Slice",
           .in = {sequence<F>({3, 4, 2}), tensor<std::int64_t>({3}, {0, 1, 1}),
                  tensor<std::int64_t>({3}, {-1, 2, -1})}},
          {.op = "Slice",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {2, 0}), tensor<I>({2}, {-1, -1})}},
          {.op = "Slice", .in = {scalar<F>(3), tensor<I>({0}, {}), tensor<I>({0}, {})}},
          {.op = "Slice",
           .in = {strings({3}, {"a", "b", "c"}), tensor<I>({1}, {1}), tensor<I>({1}, {2})}},
          {.op = "Slice",
           .in = {sequence<std::int8_t>({5, 5}), tensor<I>({2}, {1, 1}), tensor<I>({2}, {3, 3})}},
          {.op = "Slice",
           .in = {random<F>({200, 300}, 1), tensor<I>({2}, {10, 5}), tensor<I>({2}, {150, 250})},
           .name = "large"},
          {.op = "Slice",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, 2}), tensor<I>({2}, {1, 2})},
           .name = "size_outside",
           .error = "Expected size\\[1\\] in \\[0, 1\\], but got 2"},
          {.op = "Slice",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, -1}), tensor<I>({2}, {1, 2})},
           .name = "begin_negative",
           .error = "Expected begin\\[1\\] in \\[0, 3\\], but got -1"},
          {.op = "Slice",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, 1}), tensor<I>({2}, {1, -2})},
           .name = "size_negative",
           .error = "Expected size\\[1\\] in \\[0, 2\\], but got -2"},
          {.op = "Slice",
           .in = {sequence<F>({2, 3}), tensor<I>({1}, {0}), tensor<I>({1}, {1})},
           .name = "too_short",
           .error = "Expected begin and size arguments to be 1-D tensors of size 2, but got shapes "
                    "\\[1\\] and \\[1\\] instead"},
      };
    }};

}  // namespace rill
