#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

void add_cwise_op(std::vector<OpCase>& cases, const char* op, bool has_gradient) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, Tensor dense,
                       const char* error = "") {
    cases.push_back(
        {.op = op,
         .in = {std::move(indices), std::move(values), std::move(shape), std::move(dense)},
         .error = error,
         .grad = has_gradient});
  };
  const Tensor at = places(2, {0, 1, 1, 0}), two = floats({1, 2}), shape = dims({2, 3});
  const Tensor full = random<float>({2, 3}, 3, 1, 2);
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16})
    for (const bool broadcast : {false, true})
      add(at, random(type, {2}, 1, 1, 9), shape,
          random(type, broadcast ? Shape{3} : Shape{2, 3}, 2, 1, 9));
  add(at, two, shape, random<float>({2, 1}, 3, 1, 2));
  add(at, two, shape, random<float>({1, 3}, 3, 1, 2));
  add(at, two, shape, random<float>({1, 1}, 3, 1, 2));
  add(at, two, shape, scalar<float>(3));
  add(places(2, {1, 0, 0, 1, 1, 0}), floats({1, 2, 3}), shape, full);
  add(places(3, {1, 0, 1, 0, 1, 1}), two, dims({2, 2, 2}), random<float>({2, 1}, 3, 1, 2));
  add(places(2, {}), floats({}), shape, full);
  add(at, floats({NAN, 2}), shape, tensor<float>({2, 3}, {1, INFINITY, 1, 2, 1, 1}));
  cases.back().grad = false;
  add(at, two, shape, floats({1, 2}), "broadcasts dense to sparse only.*\\[2,3\\] vs. \\[2\\]");
  add(at, two, shape, random<float>({4, 2, 3}, 3), "\\[2,3\\] vs. \\[4,2,3\\]");
  add(at, two, dims({1, 3}), full, "\\[1,3\\] vs. \\[2,3\\]");
  add(places(2, {0, 1, 1, 5}), two, shape, full, "Provided indices are out-of-bounds");
  add(places(2, {0, 1, -1, 0}), two, shape, full, "Provided indices are out-of-bounds");
  add(at, floats({1}), shape, full, "match|equal");
  add(at, two, dims({2, 3, 4}), full, "match|equal");
  add(longs({1}, {0}), two, shape, full, "matrix|rank");
  add(at, two, dims({-1, 3}), full, "-1");
  add(at, two, dims({kHuge, kHuge}), scalar<float>(3), "overflow|more than");
}

}  // namespace

extern const OpCases kSparseDenseCwiseCases{
    "sparse_dense_cwise", [] {
      std::vector<OpCase> cases;
      add_cwise_op(cases, "SparseDenseCwiseAdd", false);  // TensorFlow raises Unimplemented, too
      add_cwise_op(cases, "SparseDenseCwiseMul", true);
      add_cwise_op(cases, "SparseDenseCwiseDiv", true);
      cases.push_back({.op = "SparseDenseCwiseDiv",
                       .in = {places(2, {0, 1}), tensor<std::int32_t>({1}, {3}), dims({2, 3}),
                              scalar<std::int32_t>(0)},
                       .error = "cannot divide by zero"});
      cases.push_back(
          {.op = "SparseDenseCwiseDiv",
           .in = {places(2, {0, 1}), floats({3}), dims({2, 3}), tensor<float>({3}, {1, -0.0F, 2})},
           .error = "cannot divide by zero"});
      return cases;
    }};

}  // namespace rill
