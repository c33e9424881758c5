#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

using L = std::int64_t;

OpCase to_dense(Tensor indices, Tensor shape, Tensor values, Tensor fallback,
                const char* error = "", bool validate = true) {
  return {.op = "SparseToDense",
          .in = {std::move(indices), std::move(shape), std::move(values), std::move(fallback)},
          .attrs = {{"validate_indices", validate}},
          .error = error};
}

void add_to_dense(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16, DType::boolean})
    for (const DType index : {DType::i32, DType::i64})
      cases.push_back(to_dense(values(index, {3, 2}, {0, 1, 1, 0, 1, 2}),
                               values(index, {2}, {2, 3}), values(type, {3}, {1, 0, 3}),
                               values(type, {}, {1})));
  const Tensor zero = scalar<float>(0), nine = scalar<float>(9);
  cases.push_back(
      to_dense(places(1, {1, 3}), dims({5}), strings({2}, {"a", ""}), strings({}, {"none"})));
  cases.push_back(to_dense(longs({2}, {1, 3}), dims({5}), floats({1, 2}), nine));
  cases.back().grad = false;  // the gradient gathers with the vector, which names one element
  cases.push_back(to_dense(longs({}, {3}), dims({5}), nine, zero));
  cases.back().grad = false;
  cases.push_back(to_dense(places(2, {0, 1, 1, 2}), dims({2, 3}), scalar<float>(4), zero));
  cases.back().grad = false;  // the gradient of a value that is repeated has the places' shape
  cases.push_back(
      to_dense(places(2, {1, 2, 0, 1, 1, 2}), dims({2, 3}), floats({1, 2, 3}), zero, "", false));
  cases.back().grad = false;
  cases.push_back(to_dense(places(2, {}), dims({2, 3}), floats({}), nine));
  cases.push_back(to_dense(places(2, {}), dims({0, 3}), floats({}), nine));
  cases.push_back(to_dense(places(3, {0, 1, 0, 1, 0, 1}), dims({2, 2, 2}), floats({1, 2}), nine));
}

void add_to_dense_errors(std::vector<OpCase>& cases) {
  const Tensor good = places(2, {0, 1, 1, 2}), shape = dims({2, 3}), two = floats({1, 2}),
               zero = scalar<float>(0);
  const auto fails = [&](OpCase row) { cases.push_back(std::move(row)); };
  fails(to_dense(places(2, {0, 1, 1, 3}), shape, two, zero,
                 "indices\\[1\\] = \\[1,3\\] is out of bounds: need 0 <= index < \\[2,3\\]"));
  fails(to_dense(places(2, {0, 1, -1, 2}), shape, two, zero, "out of bounds"));
  fails(to_dense(places(2, {1, 2, 0, 1}), shape, two, zero,
                 "indices\\[1\\] = \\[0,1\\] is out of order"));
  fails(to_dense(places(2, {1, 2, 1, 2}), shape, two, zero,
                 "indices\\[1\\] = \\[1,2\\] is repeated"));
  fails(to_dense(places(2, {0, 1, 1, 3}), shape, two, zero, "out of bounds", false));
  fails(to_dense(longs({1, 1, 1}, {0}), dims({2}), two, zero, "scalar, vector, or matrix"));
  fails(to_dense(good, dims({2, 3, 4}), two, zero, "incorrect number of elements: 3 should be: 2"));
  fails(to_dense(good, longs({1, 2}, {2, 3}), two, zero, "rank"));
  fails(to_dense(good, shape, floats({1, 2, 3}), zero, "incorrect shape \\[3\\]"));
  fails(to_dense(good, shape, two, two, "should be a scalar"));
  fails(to_dense(good, dims({-2, 3}), two, zero, "-2"));
  fails(to_dense(good, dims({kHuge, kHuge}), two, zero, "more than|overflow"));
}

void add_dense_add(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16, DType::c64, DType::c128})
    for (const DType index : {DType::i32, DType::i64})
      cases.push_back({.op = "SparseTensorDenseAdd",
                       .in = {values(index, {3, 2}, {1, 0, 0, 1, 1, 0}), random(type, {3}, 1, 0, 9),
                              values(index, {2}, {2, 3}), random(type, {2, 3}, 2, 0, 9)}});
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, Shape dense,
                       const char* error = "") {
    cases.push_back({.op = "SparseTensorDenseAdd",
                     .in = {std::move(indices), std::move(values), std::move(shape),
                            random<float>(std::move(dense), 1)},
                     .error = error});
  };
  add(places(2, {}), floats({}), dims({2, 3}), {2, 3});
  add(places(2, {}), floats({}), dims({0, 3}), {0, 3});
  add(places(3, {0, 1, 0}), floats({INFINITY}), dims({2, 2, 2}), {2, 2, 2});
  cases.back().grad = false;  // no slope at infinity
  const Tensor good = places(2, {0, 1, 1, 0}), two = floats({1, 2}), shape = dims({2, 3});
  add(places(2, {0, 1, 1, 5}), two, shape, {2, 3},
      "invalid index on dimension 1: a_indices\\(1,1\\) = 5");
  add(places(2, {0, 1, -1, 0}), two, shape, {2, 3}, "a_indices\\(1,0\\) = -1");
  add(good, two, dims({2, 4}), {2, 3}, "sparse side 4 vs dense side 3");
  add(good, two, dims({2, 3, 1}), {2, 3}, "match|compatible|equal");
  add(good, floats({1}), shape, {2, 3}, "match|compatible|equal");
  add(good, two, shape, {2}, "different ranks; received: 2 and 1");
  add(longs({1}, {0}), two, shape, {2, 3}, "matrix|rank");
}

}  // namespace

extern const OpCases kSparseToDenseCases{"sparse_to_dense", [] {
                                           std::vector<OpCase> cases;
                                           add_to_dense(cases);
                                           add_to_dense_errors(cases);
                                           add_dense_add(cases);
                                           return cases;
                                         }};

}  // namespace rill
