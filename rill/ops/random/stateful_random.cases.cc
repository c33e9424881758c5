#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;
using L = std::int64_t;

Tensor state() { return tensor<L>({3}, {-1, 5, 1234567890123}); }  // the counter will carry

OpCase stateful(const char* op, DType type, Tensor shape, Tensor initial = state(),
                L algorithm = 1) {
  return {.op = op,
          .in = {resource(std::move(initial)), scalar<L>(algorithm), std::move(shape)},
          .attrs = {{"dtype", type}},
          .rtol = 0};
}

OpCase stateful_ints(DType type, double low, double high) {
  return {.op = "StatefulUniformInt",
          .in = {resource(state()), scalar<L>(1), tensor<I>({2}, {3, 5}), values(type, {}, {low}),
                 values(type, {}, {high})}};
}

OpCase skip(Tensor initial, L delta) {
  return {.op = "RngSkip", .in = {resource(std::move(initial)), scalar<L>(1), scalar<L>(delta)}};
}

OpCase nondeterministic_ints(DType type) {
  return {.op = "NonDeterministicInts",
          .in = {tensor<I>({2}, {2, 3})},
          .attrs = {{"dtype", type}},
          .compare = Compare::kShapes};
}

}  // namespace

extern const OpCases kStatefulRandomCases{
    "stateful_random", [] {
      std::vector<OpCase> cases;
      for (const char* op :
           {"StatefulUniform", "StatefulStandardNormalV2", "StatefulTruncatedNormal"})
        for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
          cases.push_back(stateful(op, type, tensor<I>({1}, {7})));
          cases.push_back(
              stateful(op, type, tensor<L>({2}, {30, 7}), tensor<L>({4}, {1, 2, 3, 4})));
        }
      for (const DType type : {DType::i32, DType::i64, DType::u32, DType::u64}) {
        cases.push_back(stateful("StatefulUniformFullInt", type, tensor<I>({1}, {7})));
        cases.push_back(nondeterministic_ints(type));
      }
      for (const DType type : {DType::i32, DType::i64})
        cases.push_back(stateful_ints(type, -7, 100));
      cases.push_back(skip(state(), 10));
      cases.push_back(skip(tensor<L>({3}, {-5, -1, 7}), 1000));
      cases.push_back(skip(tensor<L>({3}, {5, 1, 7}), -3));

      const auto failing = [&](OpCase c, const char* error) {
        c.error = error;
        cases.push_back(std::move(c));
      };
      const Tensor three = tensor<I>({1}, {3});
      failing(stateful_ints(DType::i64, 4, 4), "Need minval < maxval, got 4 >= 4");
      failing(stateful("StatefulUniform", DType::f32, three, state(), 7),
              "Unsupported algorithm id: 7");
      failing(stateful("StatefulUniform", DType::f32, three, tensor<L>({2}, {1, 2})),
              "the size of state must be at least 3; got 2");
      failing(stateful("StatefulUniform", DType::f32, three, tensor<L>({1, 3}, {1, 2, 3})),
              "RNG state must have one and only one dimension, not 2");
      failing(stateful("StatefulUniform", DType::f32, three, tensor<float>({3}, {1, 2, 3})),
              "must be int64|Trying to read variable with wrong dtype|dtype of RNG state");
      cases.push_back({.op = "StatefulStandardNormal",
                       .in = {resource(tensor<L>({4}, {1, -1, 5, 7})), tensor<L>({2}, {2, 3})},
                       .rtol = 0});
      return cases;
    }};

}  // namespace rill
