#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kWhereCases{
    "where", [] {
      return std::vector<OpCase>{
          {.op = "Where", .in = {tensor<bool>({2, 2}, {true, false, true, true})}},
          {.op = "Where", .in = {tensor<float>({4}, {0, -0.0f, 2, -1})}},
          {.op = "Where", .in = {tensor<double>({2, 1, 2}, {0, 1e-300, 2, 0})}},
          {.op = "Where", .in = {tensor<std::complex<float>>({3}, {{0, -0.0f}, {0, 1}, {1, 0}})}},
          {.op = "Where", .in = {tensor<std::complex<double>>({3}, {{0, -0.0}, {0, 1}, {1, 0}})}},
          {.op = "Where", .in = {tensor<std::int8_t>({3}, {0, -128, 1})}},
          {.op = "Where", .in = {random<std::int32_t>({3, 40, 3}, 1, 0, 2)}},
          {.op = "Where", .in = {random<float>({2, 700}, 1, -1, 1)}},
          {.op = "Where", .in = {tensor<bool>({0, 2}, {})}, .name = "empty"},
          {.op = "Where", .in = {tensor<bool>({3}, {false, false, false})}, .name = "none"},
          {.op = "Where",
           .in = {scalar<bool>(true)},
           .name = "scalar",
           .error = "WhereOp : Unhandled input dimensions: 0"},
      };
    }};

}  // namespace rill
