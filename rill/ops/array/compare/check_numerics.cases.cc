#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kCheckNumericsCases{
    "check_numerics", [] {
      return std::vector<OpCase>{
          {.op = "CheckNumerics", .in = {sequence<float>({3})}, .attrs = {{"message", "x"}}},
          {.op = "CheckNumerics", .in = {sequence<half>({3})}, .attrs = {{"message", "x"}}},
          {.op = "CheckNumerics",
           .in = {tensor<float>({2}, {1, NAN})},
           .attrs = {{"message", "hi"}},
           .name = "nan",
           .error = "hi : Tensor had NaN values"},
          {.op = "CheckNumerics",
           .in = {tensor<double>({2}, {1, -INFINITY})},
           .attrs = {{"message", "hi"}},
           .name = "inf",
           .error = "hi : Tensor had Inf values"},
          {.op = "CheckNumerics",
           .in = {tensor<half>({2}, {NAN, INFINITY})},
           .attrs = {{"message", "hi"}},
           .name = "both",
           .error = "hi : Tensor had Inf and NaN values"},
      };
    }};

}  // namespace rill
