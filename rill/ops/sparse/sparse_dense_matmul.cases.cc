#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

using L = std::int64_t;

// Seven elements of a [4,5] matrix, one place twice, one row empty.
Tensor seven_places(DType type) {
  return values(type, {7, 2}, {0, 1, 0, 4, 1, 0, 1, 0, 1, 3, 3, 2, 3, 4});
}

OpCase sparse_matmul(DType type, DType index, bool adj_a, bool adj_b, std::int64_t columns) {
  const std::int64_t inner = adj_a ? 4 : 5;
  const double low = type == DType::i32 ? -9 : -1, high = type == DType::i32 ? 9 : 1;
  return {.op = "SparseTensorDenseMatMul",
          .in = {seven_places(index), random(type, {7}, 1, low, high), longs({2}, {4, 5}),
                 random(type, adj_b ? Shape{columns, inner} : Shape{inner, columns}, 2, low, high)},
          .attrs = {{"adjoint_a", adj_a}, {"adjoint_b", adj_b}},
          .atol = type == DType::f16 || type == DType::bf16 ? 1e-2 : 1e-6};
}

void add_types(std::vector<OpCase>& cases) {
  for (const DType type :
       {DType::bf16, DType::f32, DType::f64, DType::i32, DType::c64, DType::c128})
    for (const bool adj_a : {false, true})
      for (const bool adj_b : {false, true})
        cases.push_back(sparse_matmul(type, adj_a ? DType::i64 : DType::i32, adj_a, adj_b, 3));
  cases.push_back(sparse_matmul(DType::f16, DType::i64, false, false, 3));
}

void add_sizes(std::vector<OpCase>& cases) {
  for (const std::int64_t columns : {0, 1, 8, 16, 37, 71, 130, 600})
    for (const bool adj_b : {false, true})
      cases.push_back(sparse_matmul(DType::f32, DType::i64, false, adj_b, columns));
  cases.push_back(sparse_matmul(DType::f64, DType::i64, false, false, 71));
  cases.push_back(sparse_matmul(DType::bf16, DType::i64, false, false, 71));
  const Tensor none = longs({0, 2}, {}), no_values = tensor<float>({0}, {});
  for (const auto& [m, k] : {std::pair<L, L>{3, 4}, {0, 4}, {3, 0}})
    cases.push_back({.op = "SparseTensorDenseMatMul",
                     .in = {none, no_values, longs({2}, {m, k}), random<float>({k, 2}, 1)}});
  cases.push_back({.op = "SparseTensorDenseMatMul",
                   .in = {longs({3, 2}, {1, 1, 0, 0, 0, 1}), tensor<float>({3}, {1, 2, 0}),
                          longs({2}, {2, 2}), values(DType::f32, {2, 1}, {INFINITY, NAN})}});
}

// Large enough for threads; elements come in any order.
void add_large_matmuls(std::vector<OpCase>& cases) {
  for (const bool adj_a : {false, true})
    for (const bool adj_b : {false, true})
      cases.push_back(
          {.op = "SparseTensorDenseMatMul",
           .in = {random<L>({20000, 2}, 3, 0, 1000), random<float>({20000}, 4), dims({1000, 1000}),
                  random<float>(adj_b ? Shape{128, 1000} : Shape{1000, 128}, 5)},
           .attrs = {{"adjoint_a", adj_a}, {"adjoint_b", adj_b}},
           .atol = 1e-5,
           .grad = false});  // as the small ones
}

void add_errors(std::vector<OpCase>& cases) {
  const auto fails = [&](Tensor indices, std::int64_t count, Tensor shape, Shape b,
                         const char* error) {
    cases.push_back({.op = "SparseTensorDenseMatMul",
                     .in = {std::move(indices), random<float>({count}, 1), std::move(shape),
                            random<float>(std::move(b), 2)},
                     .error = error});
  };
  const Tensor good = longs({2, 2}, {0, 1, 1, 2}), shape = longs({2}, {2, 3});
  fails(longs({2, 2}, {0, 3, 1, 2}), 2, shape, {3, 2},
        "k \\(3\\) from index\\[0,1\\] out of bounds \\(>=3\\)");
  fails(longs({2, 2}, {0, 1, 2, 2}), 2, shape, {3, 2},
        "m \\(2\\) from index\\[1,0\\] out of bounds \\(>=2\\)");
  fails(longs({2, 2}, {0, 1, -1, 2}), 2, shape, {3, 2}, "m \\(-1\\) from index\\[1,0\\]");
  fails(good, 3, shape, {3, 2}, "");
  cases.back().error = "match|equal";
  fails(good, 2, longs({3}, {2, 3, 4}), {3, 2}, "2|rank");
  fails(good, 2, shape, {4, 2}, "inner dimension does not match|must be equal");
  fails(good, 2, shape, {4}, "rank|matrix");
  fails(good, 2, longs({2}, {std::int64_t{1} << 40, std::int64_t{1} << 40}), {3, 2},
        "inner dimension|must be equal");
}

}  // namespace

extern const OpCases kSparseDenseMatmulCases{"sparse_dense_matmul", [] {
                                               std::vector<OpCase> cases;
                                               add_types(cases);
                                               add_sizes(cases);
                                               add_large_matmuls(cases);
                                               add_errors(cases);
                                               return cases;
                                             }};

}  // namespace rill
