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
          // No graph of today may hold it, so TensorFlow is not asked.
          {.op = "TileGrad",
           .in = {sequence<float>({4, 3}), tensor<I>({2}, {2, 1})},
           .want = {tensor<float>({2, 3}, {6, 8, 10, 12, 14, 16})}},
          {.op = "TileGrad",
           .in = {sequence<half>({2, 6}), tensor<I>({2}, {2, 3})},
           .want = {tensor<half>({1, 2}, {30, 36})}},
          {.op = "TileGrad",
           .in = {sequence<std::int64_t>({4}), tensor<I>({1}, {1})},
           .want = {sequence<std::int64_t>({4})}},
          {.op = "TileGrad",
           .in = {tensor<double>({0, 2}, {}), tensor<I>({2}, {3, 2})},
           .want = {tensor<double>({0, 1}, {})}},
          {.op = "TileGrad",
           .in = {scalar<float>(2), tensor<I>({0}, {})},
           .want = {scalar<float>(2)}},
      };
    }};

}  // namespace rill
