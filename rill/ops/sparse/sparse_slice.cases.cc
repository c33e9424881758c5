#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

constexpr std::int64_t kMax = 9223372036854775807;

void add_slice(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, Tensor start, Tensor size,
                       const char* error = "") {
    cases.push_back({.op = "SparseSlice",
                     .in = {std::move(indices), std::move(values), std::move(shape),
                            std::move(start), std::move(size)},
                     .error = error});
  };
  const Tensor at = places(2, {0, 0, 1, 4, 2, 2}), three = floats({1, 2, 3}), shape = dims({3, 5});
  const Tensor start = dims({1, 1}), size = dims({2, 3});
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    add(at, random(type, {3}, 1, 0, 9), shape, start, size);
  add(at, strings({3}, {"a", "b", "c"}), shape, dims({1, 0}), size);
  add(at, three, shape, dims({0, 0}), dims({9, 9}));
  add(at, three, shape, dims({5, 5}), size);
  add(at, three, shape, dims({-1, 0}), size);
  add(at, three, shape, dims({0, 0}), dims({kMax, kMax}));
  add(at, three, shape, dims({1, 1}), dims({kMax, 5}));
  cases.back().want = {places(2, {0, 3, 1, 1}), floats({2, 3}), dims({2, 4})};  // TF overflows
  add(at, three, shape, dims({0, 0}), dims({0, 3}));
  add(places(2, {}), floats({}), shape, start, size);
  add(places(3, {0, 1, 2, 1, 1, 1}), floats({1, 2}), dims({2, 2, 3}), dims({0, 1, 1}),
      dims({2, 1, 1}));
  add(at, three, shape, start, dims({-1, 2}), "-1");
  add(at, three, shape, dims({0}), size, "length|compatible|equal");
  add(at, three, shape, start, dims({0}), "length|compatible|equal");
  add(at, three, dims({3, 5, 6}), start, size, "match|compatible|equal");
  add(at, floats({1, 2}), shape, start, size, "match|compatible|equal");
  add(longs({1}, {0}), three, shape, start, size, "must be rank 2 but is rank 1");
}

void add_slice_grad(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor gradient, Tensor indices, Tensor start, Tensor taken,
                       const char* error = "") {
    cases.push_back(
        {.op = "SparseSliceGrad",
         .in = {std::move(gradient), std::move(indices), std::move(start), std::move(taken)},
         .error = error});
  };
  const Tensor at = places(2, {0, 0, 1, 4, 2, 2}), taken = places(2, {0, 3, 1, 1}),
               start = dims({1, 1}), two = floats({10, 20});
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16, DType::c64, DType::c128})
    add(random(type, {2}, 1, 0, 9), at, start, taken);
  add(floats({}), at, start, places(2, {}));
  add(floats({1}), at, start, taken, "should match.*got 1 and 2");
  add(two, at, dims({1}), taken, "length|compatible|equal");
  add(two, places(1, {0, 1, 2}), start, taken, "ndims|compatible|equal");
  add(floats({1, 2, 3, 4}), at, start, places(2, {0, 3, 1, 1, 0, 0, 0, 0}), "not greater than");
}

}  // namespace

extern const OpCases kSparseSliceCases{"sparse_slice", [] {
                                         std::vector<OpCase> cases;
                                         add_slice(cases);
                                         add_slice_grad(cases);
                                         return cases;
                                       }};

}  // namespace rill
