#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;
using L = std::int64_t;

OpCase stateless(const char* op, DType type, Tensor shape, Tensor seed) {
  return {
      .op = op, .in = {std::move(shape), std::move(seed)}, .attrs = {{"dtype", type}}, .rtol = 0};
}

OpCase stateless_ints(DType type, Tensor seed, double low, double high) {
  return {.op = "StatelessRandomUniformInt",
          .in = {tensor<I>({2}, {3, 5}), std::move(seed), values(type, {}, {low}),
                 values(type, {}, {high})}};
}

}  // namespace

extern const OpCases kStatelessRandomCases{
    "stateless_random", [] {
      std::vector<OpCase> cases;
      for (const char* op :
           {"StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"}) {
        for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
          cases.push_back(stateless(op, type, tensor<I>({1}, {7}), tensor<I>({2}, {1, 2})));
          cases.push_back(stateless(op, type, tensor<L>({2}, {3, 300}), tensor<I>({2}, {-1, 2})));
          cases.push_back(
              stateless(op, type, tensor<L>({0}, {}), tensor<L>({2}, {1LL << 40, -(1LL << 35)})));
        }
        cases.push_back(stateless(op, DType::f32, tensor<I>({1}, {0}), tensor<I>({2}, {1, 2})));
      }
      for (const DType type : {DType::i32, DType::i64}) {
        cases.push_back(stateless_ints(type, tensor<I>({2}, {1, 2}), 0, 10));
        cases.push_back(stateless_ints(type, tensor<L>({2}, {0, 0}), -2147483648.0, 2147483647));
      }
      const auto failing = [&](OpCase c, const char* error) {
        c.error = error;
        cases.push_back(std::move(c));
      };
      failing(stateless_ints(DType::i32, tensor<I>({2}, {1, 2}), 3, 3),
              "Need minval < maxval, got 3 >= 3");
      failing(stateless("StatelessRandomUniform", DType::f32, tensor<I>({1}, {3}),
                        tensor<I>({3}, {1, 2, 3})),
              "seed must have shape \\[2\\], not \\[3\\]|Dimension must be 2 but is 3");
      failing(stateless("StatelessRandomUniform", DType::f32, tensor<I>({1}, {3}), scalar<I>(1)),
              "seed must have shape \\[2\\], not \\[\\]|must be rank 1 but is rank 0");
      return cases;
    }};

}  // namespace rill
