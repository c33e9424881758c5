#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

OpCase reorder(Tensor indices, Tensor values, Tensor shape, const char* error = "") {
  return {.op = "SparseReorder",
          .in = {std::move(indices), std::move(values), std::move(shape)},
          .error = error};
}

void add_reorder(std::vector<OpCase>& cases) {
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    cases.push_back(
        reorder(places(2, {1, 2, 0, 1, 1, 0, 0, 0}), random(type, {4}, 1, 0, 9), dims({2, 3})));
  cases.push_back(reorder(places(3, {1, 0, 1, 0, 1, 1, 1, 0, 0}), strings({3}, {"c", "a", "b"}),
                          dims({2, 2, 2})));
  cases.push_back(reorder(places(2, {0, 1, 1, 2}), floats({1, 2}), dims({2, 3})));
  cases.push_back(reorder(places(2, {1, 2, 0, 1, 1, 2}), floats({1, 2, 3}), dims({2, 3})));
  cases.push_back(reorder(places(2, {}), floats({}), dims({2, 3})));
  cases.push_back(reorder(places(1, {4, 2, 3}), floats({1, 2, 3}), dims({5})));
  cases.push_back(reorder(places(2, {1, 2, 0, 9}), floats({1, 2}), dims({kHuge, kHuge})));
  const Tensor good = places(2, {1, 2, 0, 1}), two = floats({1, 2}), shape = dims({2, 3});
  cases.push_back(reorder(good, floats({1, 2, 3}), shape, "match|equal"));
  cases.push_back(reorder(good, two, dims({2, 3, 4}), "match|equal"));
  cases.push_back(reorder(longs({1}, {0}), two, shape, "must be rank 2 but is rank 1"));
  cases.push_back(
      reorder(good, tensor<float>({2, 1}, {1, 2}), shape, "must be rank 1 but is rank 2"));
  cases.push_back(reorder(good, two, longs({1, 2}, {2, 3}), "must be rank 1 but is rank 2"));
}

// Many elements in disorder, each in a place of its own.
void add_large_reorders(std::vector<OpCase>& cases) {
  constexpr std::int64_t kCount = 20011;  // a prime: the multiples of 7919 pass every remainder
  Tensor indices(DType::i64, {kCount, 2});
  for (std::int64_t i = 0; i < kCount; ++i) {
    indices.data<std::int64_t>()[2 * i] = i * 7919 % kCount / 150;
    indices.data<std::int64_t>()[2 * i + 1] = i * 7919 % kCount % 150;
  }
  cases.push_back(reorder(indices, random<float>({kCount}, 1), dims({134, 150})));
  cases.back().grad = false;  // as the small ones
  // Too far apart to be numbered.
  const Tensor far = indices.clone();
  for (std::int64_t& at : far.flat<std::int64_t>()) at *= std::int64_t{1} << 50;
  cases.push_back(reorder(far, random<float>({kCount}, 1), dims({134, 150})));
  cases.back().grad = false;
}

void add_reshape(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor indices, Tensor shape, Tensor target, const char* error = "") {
    cases.push_back({.op = "SparseReshape",
                     .in = {std::move(indices), std::move(shape), std::move(target)},
                     .error = error});
  };
  const Tensor good = places(2, {0, 1, 1, 2}), shape = dims({2, 3});
  add(good, shape, dims({3, 2}));
  add(good, shape, dims({-1, 1}));
  add(good, shape, dims({1, 3, -1, 2}));
  add(good, shape, dims({6}));
  add(places(2, {}), dims({0, 3}), dims({-1, 3}));
  add(places(2, {}), dims({0, 3}), dims({0, 7}));
  add(longs({2, 0}, {}), dims({}), dims({1}));
  add(places(2, {5, 7}), dims({kHuge, 1024}), dims({-1, 16}));
  add(good, shape, dims({-1, -1}), "only one output dimension may be -1, not both 0 and 1");
  add(good, shape, dims({4}), "Input to reshape is a tensor with 6 dense values");
  add(good, shape, dims({}), "Input to reshape is a tensor with 6 dense values");
  add(good, shape, dims({-1, 4}), "requires a multiple of 4");
  add(good, shape, dims({-2, 4}), "size 0 must be non-negative, not -2");
  add(good, shape, dims({-1, 0}), "cannot infer the missing input size");
  add(longs({1}, {0}), shape, dims({6}), "matrix|rank");
  add(good, dims({2, 3, 4}), dims({6}), "rank must match|compatible|equal");
  add(good, longs({1, 2}, {2, 3}), dims({6}), "vector|rank");
  add(good, shape, longs({1, 2}, {2, 3}), "vector|rank");
  add(good, dims({-2, 3}), dims({6}), "non-negative|-2");
  add(good, dims({kHuge, kHuge}), dims({6}), "overflow|more than");
  add(good, shape, dims({kHuge, kHuge}), "overflow|more than");
}

}  // namespace

extern const OpCases kSparseReorderCases{"sparse_reorder", [] {
                                           std::vector<OpCase> cases;
                                           add_reorder(cases);
                                           add_large_reorders(cases);
                                           add_reshape(cases);
                                           return cases;
                                         }};

}  // namespace rill
