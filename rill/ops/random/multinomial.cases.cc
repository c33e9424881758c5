#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

OpCase multinomial(Tensor logits, I samples, AttrMap attrs = {}) {
  attrs.emplace("seed", 12);
  attrs.emplace("seed2", 34);
  return {.op = "Multinomial",
          .in = {std::move(logits), scalar<I>(samples)},
          .attrs = std::move(attrs)};
}

OpCase stateless_multinomial(Tensor logits, I samples, Tensor seed, AttrMap attrs = {}) {
  return {.op = "StatelessMultinomial",
          .in = {std::move(logits), scalar<I>(samples), std::move(seed)},
          .attrs = std::move(attrs)};
}

}  // namespace

extern const OpCases kMultinomialCases{
    "multinomial", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f32, DType::f64, DType::f16}) {
        const Tensor logits = random(type, {3, 7}, 5, -2, 2);
        cases.push_back(multinomial(logits, 9));
        cases.push_back(multinomial(logits, 5, {{"output_dtype", DType::i32}}));
        cases.push_back(stateless_multinomial(logits, 9, tensor<I>({2}, {1, 2})));
        cases.push_back(stateless_multinomial(logits, 6, tensor<I>({2}, {3, 4}),
                                              {{"output_dtype", DType::i32}}));
      }
      cases.push_back(multinomial(random(DType::f32, {40, 100}, 6, -5, 5), 1001));
      cases.push_back(
          multinomial(values(DType::f32, {2, 3}, {-INFINITY, 0, -INFINITY, 1, 2, 3}), 8));
      cases.push_back(multinomial(values(DType::f32, {1, 4}, {900, 899, 0, -900}), 8));
      cases.push_back(multinomial(random(DType::f32, {2, 3}, 7), 0));
      cases.push_back(multinomial(Tensor(DType::f32, {0, 3}), 2));
      cases.push_back(multinomial(filled(DType::f32, {2, 1}, 3), 2));
      const auto failing = [&](OpCase c, const char* error) {
        c.error = error;
        cases.push_back(std::move(c));
      };
      failing(multinomial(random(DType::f32, {3}, 7), 2), "must be rank 2|should be a matrix");
      failing(multinomial(random(DType::f32, {2, 3}, 7), -1),
              "num_samples should be nonnegative|>= 0");
      failing(multinomial(Tensor(DType::f32, {2, 0}), 2), "num_classes should be positive");
      return cases;
    }};

}  // namespace rill
