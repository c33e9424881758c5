#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kScatterCases{
    "scatter", [] {
      using F = float;
      using I = std::int32_t;
      const auto at = tensor<I>({3}, {2, 0, 2});
      return std::vector<OpCase>{
          {.op = "ScatterUpdate", .in = {ref(sequence<F>({3, 2})), at, sequence<F>({3, 2}, 10)}},
          {.op = "ScatterUpdate",
           .in = {ref(strings({2}, {"a", "b"})), scalar<I>(1), strings({}, {"c"})}},
          {.op = "ScatterUpdate",
           .in = {ref(sequence<F>({3, 2})), at, scalar<F>(7)},
           .name = "one_value"},
          {.op = "ScatterAdd", .in = {ref(sequence<F>({3, 2})), at, sequence<F>({3, 2}, 10)}},
          {.op = "ScatterAdd",
           .in = {ref(sequence<double>({3})), tensor<std::int64_t>({2, 1}, {1, 1}),
                  filled<double>({2, 1}, 2)}},
          {.op = "ScatterAdd",
           .in = {ref(sequence<F>({3})), tensor<I>({0}, {}), sequence<F>({0})},
           .name = "nothing"},
          {.op = "ScatterSub", .in = {ref(sequence<F>({3})), at, sequence<F>({3}, 1)}},
          {.op = "ScatterMul", .in = {ref(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ScatterDiv", .in = {ref(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ScatterMin", .in = {ref(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ScatterMax", .in = {ref(sequence<I>({3}, 1)), at, sequence<I>({3}, 2)}},
          {.op = "ScatterAdd",
           .in = {ref(sequence<F>({2})), tensor<I>({2}, {0, 2}), sequence<F>({2})},
           .name = "outside",
           .error = "indices\\[1\\] = 2 is not in \\[0, 2\\)"},
          {.op = "ScatterAdd",
           .in = {ref(sequence<F>({2})), tensor<I>({2}, {0, 1}), sequence<F>({3})},
           .name = "wrong_shape",
           .error = "Must have updates.shape = indices.shape \\+ params.shape\\[1:\\] or "
                    "updates.shape = \\[\\], got updates.shape \\[3\\], indices.shape \\[2\\], "
                    "params.shape \\[2\\]"},
      };
    }};

}  // namespace rill
