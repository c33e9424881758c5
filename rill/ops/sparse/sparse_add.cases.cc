#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

// Two operands that share one place.
const auto a_at = [] { return places(2, {0, 1, 1, 0}); };
const auto b_at = [] { return places(2, {0, 1, 1, 2}); };

void add_sums(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor a, Tensor x, Tensor shape_a, Tensor b, Tensor y, Tensor shape_b,
                       Tensor thresh, const char* error = "") {
    cases.push_back({.op = "SparseAdd",
                     .in = {std::move(a), std::move(x), std::move(shape_a), std::move(b),
                            std::move(y), std::move(shape_b), std::move(thresh)},
                     .error = error});
  };
  const Tensor two = floats({1, 2}), other = floats({-1, 5}), shape = dims({2, 3});
  for (const DType type : {DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64,
                           DType::c64, DType::c128}) {
    const DType real = type == DType::c64 ? DType::f32 : type == DType::c128 ? DType::f64 : type;
    for (const int least : {0, 3})
      add(a_at(), random(type, {2}, 1, -9, 9), shape, b_at(), random(type, {2}, 2, -9, 9), shape,
          values(real, {}, {static_cast<double>(least)}));
  }
  const auto least = [](float x) { return scalar<float>(x); };
  add(a_at(), two, shape, b_at(), other, shape, least(0.1F));
  add(a_at(), two, shape, b_at(), other, shape, least(-1));
  add(a_at(), floats({NAN, 1}), shape, b_at(), other, shape, least(0.1F));
  cases.back().grad = false;
  add(places(2, {}), floats({}), shape, b_at(), other, shape, least(0));
  add(places(2, {}), floats({}), shape, places(2, {}), floats({}), shape, least(0));
  add(places(2, {1, 0, 0, 1}), two, shape, b_at(), other, shape, least(0));
  cases.back().grad = false;  // out of order: the gradient does not find its elements
  add(a_at(), two, dims({kHuge, kHuge}), b_at(), other, dims({kHuge, kHuge}), least(0));
  add(places(3, {0, 1, 0, 1, 1, 1}), two, dims({2, 2, 2}), places(3, {0, 0, 1}), floats({4}),
      dims({2, 2, 2}), least(0));
  add(a_at(), two, shape, b_at(), other, dims({2, 4}), least(0),
      "got 3 and 4 for dimension 1|equal");
  add(a_at(), two, shape, b_at(), other, dims({2, 3, 4}), least(0), "rank|match|equal");
  add(a_at(), two, shape, b_at(), other, shape, floats({0}), "scalar|rank");
  add(a_at(), floats({1}), shape, b_at(), other, shape, least(0), "");
  cases.back().error = "match|equal|values";
  add(longs({1}, {0}), two, shape, b_at(), other, shape, least(0), "matri|rank");
}

void add_grads(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor gradient, Tensor a, Tensor b, Tensor sum, const char* error = "") {
    cases.push_back({.op = "SparseAddGrad",
                     .in = {std::move(gradient), std::move(a), std::move(b), std::move(sum)},
                     .error = error});
  };
  const Tensor sum = places(2, {0, 1, 1, 0, 1, 2}), three = floats({1, 2, 3});
  for (const DType type : {DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64,
                           DType::c64, DType::c128})
    add(random(type, {3}, 1, -9, 9), a_at(), b_at(), sum);
  add(floats({5, 6}), a_at(), b_at(), places(2, {1, 0, 1, 2}));
  add(floats({}), a_at(), b_at(), places(2, {}));
  add(floats({1}), a_at(), b_at(), sum, "should match.*got 1 and 3");
  add(three, places(1, {0}), b_at(), sum, "ndims|compatible|equal");
  add(three, a_at(), b_at(), longs({1}, {0}), "matri|rank");
  add(tensor<float>({3, 1}, {1, 2, 3}), a_at(), b_at(), sum, "vector|rank");
}

void add_extremes(std::vector<OpCase>& cases, const char* op) {
  const auto add = [&](Tensor a, Tensor x, Tensor b, Tensor y, Tensor shape_b,
                       const char* error = "") {
    cases.push_back({.op = op,
                     .in = {std::move(a), std::move(x), dims({2, 3}), std::move(b), std::move(y),
                            std::move(shape_b)},
                     .error = error,
                     .grad = false});  // TensorFlow has none either: Unimplemented
  };
  const Tensor shape = dims({2, 3}), two = floats({1, 2}), other = floats({7, -5});
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16})
    add(a_at(), random(type, {2}, 1, -9, 9), b_at(), random(type, {2}, 2, -9, 9), shape);
  add(a_at(), two, b_at(), other, shape);
  add(a_at(), floats({NAN, -1}), b_at(), floats({1, NAN}), shape);
  add(a_at(), floats({1, -1}), b_at(), floats({NAN, INFINITY}), shape);
  add(places(2, {}), floats({}), b_at(), other, shape);
  add(places(2, {1, 0, 0, 1}), two, b_at(), other, shape);
  add(a_at(), two, b_at(), other, dims({2, 4}), "got 3 and 4 for dimension 1");
  add(a_at(), two, b_at(), other, dims({2, 3, 4}), "match|rank|equal");
  add(places(2, {0, 1, 5, 0}), two, b_at(), other, shape, "out of bounds");
  add(a_at(), floats({1}), b_at(), other, shape, "match|equal");
  add(longs({1}, {0}), two, b_at(), other, shape, "must be rank 2 but is rank 1");
}

}  // namespace

extern const OpCases kSparseAddCases{"sparse_add", [] {
                                       std::vector<OpCase> cases;
                                       add_sums(cases);
                                       add_grads(cases);
                                       add_extremes(cases, "SparseSparseMaximum");
                                       add_extremes(cases, "SparseSparseMinimum");
                                       return cases;
                                     }};

}  // namespace rill
