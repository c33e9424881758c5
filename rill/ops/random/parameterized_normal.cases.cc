#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

OpCase normal(Tensor shape, Tensor means, Tensor deviations, Tensor low, Tensor high) {
  return {.op = "ParameterizedTruncatedNormal",
          .in = {std::move(shape), std::move(means), std::move(deviations), std::move(low),
                 std::move(high)},
          .attrs = {{"seed", 12}, {"seed2", 34}},
          .rtol = 0};
}

OpCase normal(DType type, I size, double mean, double deviation, double low, double high) {
  const auto one = [&](double x) { return values(type, {}, {x}); };
  return normal(tensor<I>({1}, {size}), one(mean), one(deviation), one(low), one(high));
}

}  // namespace

extern const OpCases kParameterizedNormalCases{
    "parameterized_normal", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f32, DType::f64, DType::f16}) {
        cases.push_back(normal(type, 255, 0, 1, -2, 2));
        cases.push_back(normal(type, 103, 1, 2, 1.5, 2));     // uniform
        cases.push_back(normal(type, 103, 1, 2, -0.5, 1.5));  // uniform, around the mean
        cases.push_back(normal(type, 103, 0, 1, 3, 9));       // exponential
        cases.push_back(normal(type, 103, 0, 1, -9, -3));     // turned round
        cases.push_back(normal(type, 103, 0, 1, -INFINITY, -1.25));
        cases.push_back(normal(type, 103, 0, 1, 1, INFINITY));
        cases.push_back(normal(tensor<std::int64_t>({2}, {3, 13}), values(type, {3}, {0, 1, 2}),
                               values(type, {}, {1}), values(type, {3}, {-1, 1, 2.5}),
                               values(type, {1}, {4})));
      }
      cases.push_back(normal(DType::f32, 0, 0, 1, -2, 2));
      const auto failing = [&](OpCase c, const char* error) {
        c.error = error;
        cases.push_back(std::move(c));
      };
      failing(normal(DType::f32, 3, 0, 1, 2, 1), "Invalid parameters");
      failing(normal(DType::f32, 3, 0, -1, 1, 2), "Invalid parameters");
      failing(normal(DType::f32, 3, 0, 1, -INFINITY, INFINITY), "Invalid parameters");
      const Tensor one = scalar<float>(1);
      failing(normal(tensor<I>({2}, {3, 2}), filled<float>({2}, 0), one, one, scalar<float>(2)),
              "means should have length 1 or shape\\[0\\]");
      failing(normal(tensor<I>({0}, {}), one, one, one, scalar<float>(2)),
              "Shape tensor must not be empty");
      failing(normal(tensor<I>({1}, {3}), filled<float>({1, 1}, 0), one, one, scalar<float>(2)),
              "must be at most rank 1|should be a scalar or vector");
      return cases;
    }};

}  // namespace rill
