#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

OpCase poisson(Tensor shape, Tensor rate, DType type) {
  return {.op = "RandomPoissonV2",
          .in = {std::move(shape), std::move(rate)},
          .attrs = {{"seed", 12}, {"seed2", 34}, {"dtype", type}},
          .rtol = 0};
}

}  // namespace

extern const OpCases kRandomPoissonCases{
    "random_poisson", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f32, DType::f64, DType::f16, DType::i32, DType::i64}) {
        const Tensor rates = values(DType::f64, {6}, {0, 0.25, 3, 9.75, 10, 300});
        cases.push_back(poisson(tensor<I>({1}, {50}), rates, type));
        cases.push_back(poisson(tensor<std::int64_t>({2}, {2, 3}),
                                values(type, {2, 2}, {0, 1, 12, 4}), DType::f32));
      }
      cases.push_back(poisson(tensor<I>({1}, {4}), scalar<double>(-1), DType::i64));
      cases.push_back(poisson(tensor<I>({1}, {4}), scalar<double>(1e15), DType::f64));
      cases.push_back(poisson(tensor<I>({0}, {}), scalar<float>(2), DType::f32));
      cases.push_back(poisson(tensor<I>({1}, {0}), scalar<float>(2), DType::f32));
      cases.push_back({.op = "RandomPoisson",
                       .in = {tensor<I>({1}, {5}), tensor<float>({2}, {1, 20})},
                       .attrs = {{"seed", 12}, {"seed2", 34}},
                       .rtol = 0});
      return cases;
    }};

}  // namespace rill
