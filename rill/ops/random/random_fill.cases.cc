#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;
using L = std::int64_t;

AttrMap seeded(std::int64_t seed, std::int64_t seed2) { return {{"seed", seed}, {"seed2", seed2}}; }

OpCase fill(const char* op, DType type, Tensor shape, AttrMap attrs = seeded(87654321, 1)) {
  attrs.emplace("dtype", type);
  return {.op = op, .in = {std::move(shape)}, .attrs = std::move(attrs), .rtol = 0};
}

OpCase fill_ints(Tensor shape, Tensor low, Tensor high, AttrMap attrs = seeded(87654321, 1)) {
  return {.op = "RandomUniformInt",
          .in = {std::move(shape), std::move(low), std::move(high)},
          .attrs = std::move(attrs)};
}

// Sizes around those of blocks, groups and pieces.
void add_sizes(std::vector<OpCase>& cases, const char* op, DType type) {
  for (const I size : {1, 5, 131, 1023}) cases.push_back(fill(op, type, tensor<I>({1}, {size})));
  cases.push_back(fill(op, type, tensor<L>({2}, {130, 517})));
  cases.push_back(fill(op, type, tensor<I>({3}, {3, 1, 7}), seeded(-3, 1LL << 40)));
}

void add_int_fills(std::vector<OpCase>& cases, DType type) {
  const auto scalar_of = [&](double x) { return values(type, {}, {x}); };
  cases.push_back(fill_ints(tensor<I>({1}, {1001}), scalar_of(0), scalar_of(10)));
  cases.push_back(fill_ints(tensor<I>({2}, {3, 7}), scalar_of(-5), scalar_of(1000)));
  cases.push_back(
      fill_ints(tensor<L>({1}, {7000}), scalar_of(-2147483648.0), scalar_of(2147483647)));
  cases.push_back(fill_ints(tensor<I>({0}, {}), scalar_of(3), scalar_of(4), seeded(0, 7)));
  cases.push_back(fill_ints(tensor<I>({1}, {0}), scalar_of(3), scalar_of(3)));
}

}  // namespace

extern const OpCases kRandomFillCases{
    "random_fill", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}) {
        for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16})
          add_sizes(cases, op, type);
        cases.push_back(fill(op, DType::f32, tensor<I>({2}, {0, 4})));
        cases.push_back(fill(op, DType::f32, tensor<I>({0}, {})));
        OpCase unseeded = fill(op, DType::f32, tensor<I>({1}, {9}), {});
        unseeded.compare = Compare::kShapes;
        cases.push_back(unseeded);
      }
      add_int_fills(cases, DType::i32);
      add_int_fills(cases, DType::i64);
      cases.push_back(fill_ints(tensor<I>({1}, {6}), scalar<L>(INT64_MIN), scalar<L>(INT64_MAX)));

      const auto failing = [&](OpCase c, const char* error) {
        c.error = error;
        cases.push_back(std::move(c));
      };
      failing(fill_ints(tensor<I>({1}, {3}), scalar<I>(5), scalar<I>(3)),
              "Need minval < maxval, got 5 >= 3");
      failing(fill_ints(tensor<I>({1}, {3}), tensor<I>({1}, {5}), scalar<I>(3)),
              "must be rank 0|must be (a )?scalar|must be 0-D");
      failing(fill("RandomUniform", DType::f32, tensor<I>({1}, {-3})), "must be >= 0");
      failing(fill("RandomUniform", DType::f32, tensor<I>({1, 1}, {3})),
              "must be rank 1|must be a vector");
      return cases;
    }};

}  // namespace rill
