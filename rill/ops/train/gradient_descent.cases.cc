#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kGradientDescentCases{
    "gradient_descent", [] {
      using F = float;
      std::vector<OpCase> cases{
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
          {.op = "SparseApplyAdagrad",
           .in = {ref(sequence<F>({2, 2})), ref(filled<F>({2, 2}, 1)), scalar<F>(0.1f),
                  sequence<F>({1, 2}), tensor<std::int32_t>({1}, {2})},
           .name = "row_out_of_range",
           .error = "Index 2 at offset 0 in indices is out of range"},
          {.op = "SparseApplyAdagrad",
           .in = {ref(sequence<F>({2, 2})), ref(filled<F>({2, 2}, 1)), scalar<F>(0.1f),
                  sequence<F>({2, 2}), tensor<std::int32_t>({1}, {1})},
           .name = "rows_not_as_many",
           .error = "must be the same size as indices|must be equal"},
          {.op = "ApplyMomentum",
           .in = {ref(sequence<F>({2})), ref(sequence<F>({3})), scalar<F>(0.1f), sequence<F>({2}),
                  scalar<F>(0.9f)},
           .name = "slot_of_wrong_shape",
           .error = "var and accum do not have the same shape|must be equal"},
          {.op = "ApplyAdam",
           .in = {ref(sequence<F>({0})), ref(sequence<F>({0})), ref(sequence<F>({0})),
                  scalar<F>(0.9f), scalar<F>(0.9f), scalar<F>(0.1f), scalar<F>(0.9f),
                  scalar<F>(0.9f), scalar<F>(0.1f), sequence<F>({0})},
           .name = "empty"},
      };
      add_update_cases(cases,
                       {"ProximalGradientDescent", {0.1, 0.01, 0.02}, {}, DType::f32 | DType::f64});
      add_update_cases(cases,
                       {"ProximalGradientDescent", {0.1, 0, 0.02}, {}, DType::f32 | DType::f64});
      return cases;
    }};

}  // namespace rill
