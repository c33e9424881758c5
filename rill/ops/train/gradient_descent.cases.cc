#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kGradientDescentCases{
    "gradient_descent", [] {
      using F = float;
      return std::vector<OpCase>{
          {.op = "ApplyGradientDescent",
           .in = {ref(sequence<F>({2, 3})), scalar<F>(0.1f), sequence<F>({2, 3}, 1)}},
          {.op = "ApplyGradientDescent",
           .in = {ref(random<half>({5}, 1)), scalar<half>(0.1f), random<half>({5}, 2)}},
          {.op = "ResourceApplyGradientDescent",
           .in = {resource(sequence<double>({3})), scalar<double>(0.1), sequence<double>({3}, 1)}},
          {.op = "ResourceApplyGradientDescent",
           .in = {resource(random<F>({100, 300}, 1)), scalar<F>(0.01f), random<F>({100, 300}, 2)},
           .name = "large"},
          {.op = "ApplyGradientDescent",
           .in = {ref(sequence<F>({2})), scalar<F>(0.1f), sequence<F>({3})},
           .name = "wrong_shape",
           .error = "var and delta do not have the same shape\\[2\\] \\[3\\]"},
          {.op = "ResourceApplyGradientDescent",
           .in = {resource(sequence<F>({2})), sequence<F>({1}), sequence<F>({2})},
           .name = "alpha_not_scalar",
           .error = "alpha is not a scalar: \\[1\\]"},
      };
    }};

}  // namespace rill
