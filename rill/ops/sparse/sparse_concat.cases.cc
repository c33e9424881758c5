#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

void add_concat(std::vector<OpCase>& cases) {
  const auto add = [&](std::vector<Tensor> indices, std::vector<Tensor> values,
                       std::vector<Tensor> shapes, int axis, const char* error = "") {
    cases.push_back(
        {.op = "SparseConcat",
         .in = {list(std::move(indices)), list(std::move(values)), list(std::move(shapes))},
         .attrs = {{"concat_dim", axis}},
         .error = error});
  };
  const std::vector<Tensor> at = {places(2, {0, 1, 1, 0}), places(2, {1, 1})};
  const std::vector<Tensor> two = {floats({1, 2}), floats({3})},
                            shapes = {dims({2, 3}), dims({2, 2})};
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    for (const int axis : {1, -1})
      add(at, {random(type, {2}, 1, 0, 9), random(type, {1}, 2, 0, 9)}, shapes, axis);
  add(at, {strings({2}, {"a", "b"}), strings({1}, {"c"})}, shapes, 1);
  add(at, two, {dims({2, 3}), dims({4, 3})}, 0);
  add({places(2, {1, 0, 0, 1}), places(2, {1, 1})}, two, shapes, 1);
  add({places(2, {}), places(2, {1, 1})}, {floats({}), floats({3})}, shapes, 1);
  add({places(3, {0, 1, 1, 1, 0, 0}), places(3, {1, 1, 1}), places(3, {0, 0, 0})},
      {floats({1, 2}), floats({3}), floats({4})},
      {dims({2, 2, 2}), dims({2, 3, 2}), dims({2, 1, 2})}, 1);
  add(at, two, {dims({kHuge, 7}), dims({kHuge, 7})}, 0);
  add(at, two, shapes, 2, "Concat dimension must be in range \\[-2, 2\\), got 2");
  add(at, two, shapes, -3, "Concat dimension must be in range \\[-2, 2\\), got -3");
  add(at, two, shapes, 0, "expected 3 for dimension 1 but got 2 at position 1");
  add(at, two, {dims({2, 3}), dims({2, 2, 2})}, 1, "Ranks|match|equal");
  add(at, {floats({1, 2}), floats({3, 4})}, shapes, 1, "match|equal");
  add({longs({1}, {0}), at[1]}, two, shapes, 1, "matrix|rank");
}

void add_split(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor axis, Tensor indices, Tensor values, Tensor shape, int parts,
                       const char* error = "") {
    cases.push_back(
        {.op = "SparseSplit",
         .in = {std::move(axis), std::move(indices), std::move(values), std::move(shape)},
         .attrs = {{"num_split", parts}},
         .error = error});
  };
  const Tensor zero = longs({}, {0}), one = longs({}, {1}), at = places(2, {0, 0, 1, 4, 2, 2});
  const Tensor three = floats({1, 2, 3}), shape = dims({3, 5});
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    add(one, at, random(type, {3}, 1, 0, 9), shape, 2);
  add(one, at, strings({3}, {"a", "b", "c"}), shape, 3);
  add(zero, at, three, shape, 2);
  add(zero, at, three, shape, 1);
  add(longs({}, {-1}), at, three, shape, 5);
  add(one, places(2, {2, 2, 1, 1, 0, 0}), three, shape, 2);
  add(one, places(2, {}), floats({}), shape, 2);
  add(longs({}, {2}), at, three, shape, 2, "should be in range \\[-2, 2\\), got 2");
  add(one, at, three, shape, 6, "between 1 and the splitting dimension size \\(5\\), got 6");
  add(one, places(2, {0, 0, 1, 9, 2, 2}), three, shape, 2, "out of bounds");
  add(one, places(2, {0, 0, 1, -1, 2, 2}), three, shape, 2, "out of bounds");
  add(one, at, three, dims({3, 5, 6}), 2, "match|equal");
  add(one, at, floats({1, 2}), shape, 2, "match|equal");
  add(longs({1}, {1}), at, three, shape, 2, "scalar|rank 0");
  add(one, at, three, dims({kHuge, kHuge}), 2, "overflow|more than");
}

}  // namespace

extern const OpCases kSparseConcatCases{"sparse_concat", [] {
                                          std::vector<OpCase> cases;
                                          add_concat(cases);
                                          add_split(cases);
                                          return cases;
                                        }};

}  // namespace rill
