#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

OpCase gamma(Tensor shape, Tensor alpha) {
  return {.op = "RandomGamma",
          .in = {std::move(shape), std::move(alpha)},
          .attrs = {{"seed", 12}, {"seed2", 34}},
          .rtol = 0,
          .grad = false};
}

}  // namespace

extern const OpCases kRandomGammaCases{
    "random_gamma", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f32, DType::f64, DType::f16}) {
        cases.push_back(gamma(tensor<I>({1}, {101}), values(type, {}, {0.3})));
        cases.push_back(gamma(tensor<I>({1}, {50}), values(type, {3}, {0.5, 1, 7.5})));
        cases.push_back(
            gamma(tensor<std::int64_t>({2}, {3, 5}), values(type, {2, 2}, {0.01, 1, 1.01, 1e3})));
      }
      cases.push_back(gamma(tensor<I>({0}, {}), values(DType::f32, {2}, {1, 2})));
      cases.push_back(gamma(tensor<I>({1}, {0}), values(DType::f32, {2}, {1, 2})));
      cases.push_back(gamma(tensor<I>({1}, {2}), values(DType::f32, {0}, {})));
      cases.push_back(gamma(tensor<I>({1}, {3}), values(DType::f64, {4}, {0, -0.5, -2, 1e300})));
      for (const DType type : {DType::f32, DType::f64}) {
        const bool is_float = type == DType::f32;  // TensorFlow computes in it and may underflow
        const double rtol = is_float ? 1e-4 : 1e-9;
        const Tensor alpha = values(type, {5, 1}, {0.1, 0.9, 1, 3.5, is_float ? 4.5 : 40});
        const Tensor sample = values(type, {8}, {1e-6, 0.1, 0.99, 1, 1.5, 3.4, 20, 60});
        cases.push_back({.op = "RandomGammaGrad", .in = {alpha, sample}, .rtol = rtol});
        cases.push_back({.op = "RandomGammaGrad",
                         .in = {values(type, {4}, {1, 0, -1, 2}), values(type, {4}, {0, 1, 1, -1})},
                         .rtol = rtol});
      }
      return cases;
    }};

}  // namespace rill
