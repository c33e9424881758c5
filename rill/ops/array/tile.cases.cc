#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kTileCases{
    "tile", [] {
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "Tile", .in = {sequence<float>({2, 3}), tensor<I>({2}, {2, 1})}},
          {.op = "Tile", .in = {sequence<float>({2, 3}), tensor<std::int64_t>({2}, {1, 3})}},
          {.op = "Tile", .in = {sequence<std::int64_t>({2, 1, 2}), tensor<I>({3}, {2, 2, 2})}},
          {.op = "Tile", .in = {sequence<float>({2, 3}), tensor<I>({2}, {2, 0})}, .name = "none"},
          {.op = "Tile", .in = {scalar<float>(2), tensor<I>({0}, {})}, .name = "scalar"},
          {.op = "Tile", .in = {strings({2}, {"a", "b"}), tensor<I>({1}, {2})}},
          {.op = "Tile", .in = {tensor<bool>({1}, {true}), tensor<I>({1}, {5})}},
          {.op = "Tile",
           .in = {sequence<float>({2, 3}), tensor<I>({1}, {2})},
           .name = "too_short",
           .error = "Expected multiples argument to be a vector of length 2 but got length 1"},
          {.op = "Tile",
           .in = {sequence<float>({2, 3}), tensor<I>({2}, {2, -1})},
           .name = "negative",
           .error = "Expected multiples\\[1\\] >= 0, but got -1"},
      };
    }};

}  // namespace rill
