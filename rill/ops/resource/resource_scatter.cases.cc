#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kResourceScatterCases{
    "resource_scatter", [] {
      using F = float;
      using I = std::int32_t;
      const auto at = tensor<I>({3}, {2, 0, 2});
      return std::vector<OpCase>{
          {.op = "ResourceScatterUpdate",
           .in = {resource(sequence<F>({3, 2})), at, sequence<F>({3, 2}, 10)}},
          {.op = "ResourceScatterAdd",
           .in = {resource(sequence<F>({3, 2})), at, sequence<F>({3, 2}, 10)}},
          {.op = "ResourceScatterAdd",
           .in = {resource(sequence<F>({3})), at, scalar<F>(1)},
           .name = "one_value"},
          {.op = "ResourceScatterSub", .in = {resource(sequence<F>({3})), at, sequence<F>({3}, 1)}},
          {.op = "ResourceScatterMul",
           .in = {resource(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ResourceScatterDiv",
           .in = {resource(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ResourceScatterMin",
           .in = {resource(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ResourceScatterMax",
           .in = {resource(sequence<F>({3}, 1)), at, sequence<F>({3}, 2)}},
          {.op = "ResourceScatterAdd",
           .in = {resource(sequence<F>({2})), tensor<I>({2}, {0, 2}), sequence<F>({2})},
           .name = "outside",
           .error = "indices\\[1\\] = 2 is not in \\[0, 2\\)"},
      };
    }};

}  // namespace rill
