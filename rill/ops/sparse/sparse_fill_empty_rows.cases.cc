#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

void add_fill_empty_rows(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, Tensor fallback,
                       const char* error = "") {
    cases.push_back(
        {.op = "SparseFillEmptyRows",
         .in = {std::move(indices), std::move(values), std::move(shape), std::move(fallback)},
         .error = error});
  };
  const Tensor at = places(2, {0, 1, 2, 0, 2, 2}), three = floats({1, 2, 3}), shape = dims({4, 3}),
               nine = scalar<float>(9);
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    add(at, random(type, {3}, 1, 0, 9), shape, random(type, {}, 2, 0, 9));
  add(at, strings({3}, {"a", "b", "c"}), shape, strings({}, {"none"}));
  add(places(2, {2, 0, 0, 1, 2, 2}), three, shape, nine);
  add(places(2, {2, 2, 1, 1, 0, 0}), three, dims({3, 3}), nine);
  add(places(2, {}), floats({}), dims({0, 3}), nine);
  add(places(2, {}), floats({}), dims({2, 3}), nine);
  add(places(1, {1, 3, 3}), three, dims({5}), nine);
  add(places(3, {0, 1, 1, 2, 0, 1, 2, 2, 0}), three, dims({3, 3, 2}), nine);
  add(places(2, {0, 1, 4, 0, 2, 2}), three, shape, nine, "indices\\(1, 0\\) is invalid: 4 >= 4");
  add(places(2, {0, 1, -1, 0, 2, 2}), three, shape, nine, "indices\\(1, 0\\) is invalid: -1 >= 4");
  add(at, three, dims({0, 3}), nine, "dense_shape\\[0\\] = 0 but indices.shape\\[0\\] = 3");
  add(at, floats({1}), shape, nine, "match|equal");
  add(at, three, shape, floats({1}), "scalar|rank");
  add(at, three, dims({4, 3, 2}), nine, "match|equal");
  add(longs({3, 0}, {}), three, dims({}), nine, "Dense shape cannot be empty");
  add(longs({1}, {0}), three, shape, nine, "matrix|rank");
}

void add_fill_empty_rows_grad(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor map, Tensor gradient, const char* error = "") {
    cases.push_back({.op = "SparseFillEmptyRowsGrad",
                     .in = {std::move(map), std::move(gradient)},
                     .error = error});
  };
  const Tensor map = dims({0, 2, 3}), four = floats({1, 2, 3, 4});
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16, DType::c64, DType::c128})
    add(map, random(type, {4}, 1, 0, 9));
  add(dims({1, 1}), four);
  add(dims({}), four);
  add(dims({}), floats({}));
  add(dims({0, 4}), four, "must be in \\[0, 4\\) but got 4");
  add(dims({0, -1}), four, "must be in \\[0, 4\\) but got -1");
  add(longs({1, 2}, {0, 1}), four, "vector|rank");
  add(map, tensor<float>({2, 2}, {1, 2, 3, 4}), "vector|rank");
}

}  // namespace

extern const OpCases kSparseFillEmptyRowsCases{"sparse_fill_empty_rows", [] {
                                                 std::vector<OpCase> cases;
                                                 add_fill_empty_rows(cases);
                                                 add_fill_empty_rows_grad(cases);
                                                 return cases;
                                               }};

}  // namespace rill
