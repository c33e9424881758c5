#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

Tensor axes(std::initializer_list<std::int32_t> v) {
  return tensor<std::int32_t>({static_cast<std::int64_t>(v.size())}, v);
}

void add_reduction(std::vector<OpCase>& cases, const char* op, bool sums) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, Tensor along, bool keep = false,
                       const char* error = "") {
    cases.push_back(
        {.op = op,
         .in = {std::move(indices), std::move(values), std::move(shape), std::move(along)},
         .attrs = {{"keep_dims", keep}},
         .error = error});
  };
  const Tensor at = places(2, {0, 1, 1, 0, 1, 2}), three = floats({1, 2, 3}), shape = dims({2, 3});
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16})
    add(at, random(type, {3}, 1, -9, 9), shape, axes({1}));
  if (sums)
    for (const DType type : {DType::c64, DType::c128})
      add(at, random(type, {3}, 1), shape, axes({1}));
  for (const bool keep : {false, true}) {
    add(at, three, shape, axes({0}), keep);
    add(at, three, shape, axes({}), keep);
    add(at, three, shape, axes({0, 1}), keep);
    add(at, three, shape, axes({-1}), keep);
    add(at, three, shape, tensor<std::int32_t>({}, {0}), keep);
    add(places(3, {0, 1, 1, 1, 0, 0, 1, 1, 1}), floats({-1, -2, -3}), dims({2, 2, 2}), axes({1, 2}),
        keep);
    add(places(3, {0, 1, 1, 1, 0, 0, 1, 1, 1}), floats({-1, -2, -3}), dims({2, 2, 2}), axes({0}),
        keep);
  }
  add(at, three, shape, axes({1, -1}));
  add(places(2, {1, 2, 0, 0, 1, 1}), three, shape, axes({1}));
  add(places(2, {1, 2, 0, 0, 1, 2}), three, shape, axes({}));
  add(places(2, {}), floats({}), shape, axes({1}));
  add(places(2, {}), floats({}), shape, axes({0, 1}));
  add(at, floats({1, 2, NAN}), shape, axes({1}));
  cases.back().grad = false;
  add(at, floats({-INFINITY, NAN, 3}), shape, axes({1}));
  cases.back().grad = false;
  add(at, three, shape, axes({2}), false, "Invalid reduction dimension 2, for input with 2");
  add(at, three, shape, axes({-3}), false, "Invalid reduction dimension -3, for input with 2");
  add(at, floats({1}), shape, axes({1}), false, "match|equal");
  add(at, three, dims({2, 3, 4}), axes({1}), false, "rank|match|equal");
  add(at, three, shape, tensor<std::int32_t>({1, 1}, {0}), false, "scalar or a vector|rank");
  add(at, three, dims({-2, 3}), axes({1}), false, "-2");
  add(at, three, dims({kHuge, kHuge}), axes({1}), false, "overflow|more than");
}

}  // namespace

extern const OpCases kSparseReduceCases{"sparse_reduce", [] {
                                          std::vector<OpCase> cases;
                                          add_reduction(cases, "SparseReduceSum", true);
                                          add_reduction(cases, "SparseReduceSumSparse", true);
                                          add_reduction(cases, "SparseReduceMax", false);
                                          add_reduction(cases, "SparseReduceMaxSparse", false);
                                          return cases;
                                        }};

}  // namespace rill
