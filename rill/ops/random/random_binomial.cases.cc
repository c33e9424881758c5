#include "tests/optest/op_case.h"

namespace rill {
namespace {

using L = std::int64_t;

OpCase binomial(Tensor counts, Tensor probs, DType type) {
  return {.op = "StatefulRandomBinomial",
          .in = {resource(tensor<L>({3}, {1, 2, 3})), scalar<L>(1), tensor<L>({2}, {3, 4}),
                 std::move(counts), std::move(probs)},
          .attrs = {{"dtype", type}},
          .rtol = 0};
}

}  // namespace

extern const OpCases kRandomBinomialCases{
    "random_binomial", [] {
      return std::vector<OpCase>{
          binomial(scalar<double>(10), scalar<double>(0.3), DType::i64),
          binomial(tensor<float>({4}, {5, 50, 500, 0}), scalar<float>(0.5), DType::f32),
          binomial(scalar<double>(100), tensor<double>({4}, {0, 1, 0.99, 0.4}), DType::i32),
      };
    }};

}  // namespace rill
