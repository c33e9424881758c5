#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

Shape with_rows(const Shape& rhs, std::int64_t rows) {
  Shape shape(rhs.dims().first(static_cast<std::size_t>(rhs.rank() - 2)));
  shape.add_dim(rows);
  shape.add_dim(rhs.dim(rhs.rank() - 2));
  return shape;
}

void add_tridiagonal_values(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& rhs :
         {Shape{1, 1}, Shape{2, 2}, Shape{5, 3}, Shape{2, 3, 4, 1}, Shape{3, 40, 2}}) {
      const bool small = rhs.element_count() < 100;
      for (const bool pivots : {true, false})
        cases.push_back({.op = "TridiagonalSolve",
                         .in = {random(type, with_rows(rhs, 3), 18, 0.1, 1), random(type, rhs, 19)},
                         .attrs = {{"partial_pivoting", pivots}},
                         .rtol = 50 * loose(type),
                         .atol = 10 * loose_absolute(type),
                         .grad = small});
      cases.push_back(
          {.op = "TridiagonalMatMul",
           .in = {random(type, with_rows(rhs, 1), 1), random(type, with_rows(rhs, 1), 2),
                  random(type, with_rows(rhs, 1), 3), random(type, rhs, 4)},
           .rtol = loose(type),
           .atol = loose_absolute(type),
           .grad = small});
    }
}

void add_tridiagonal_edges(std::vector<OpCase>& cases) {
  for (const Shape& rhs : {Shape{0, 2}, Shape{3, 0}, Shape{0, 3, 2}}) {
    cases.push_back({.op = "TridiagonalSolve",
                     .in = {filled<float>(with_rows(rhs, 3), 1), filled<float>(rhs, 1)},
                     .grad = false});
    const Tensor diagonal = filled<float>(with_rows(rhs, 1), 1);
    cases.push_back({.op = "TridiagonalMatMul",
                     .in = {diagonal, diagonal, diagonal, filled<float>(rhs, 1)},
                     .grad = false});
  }
  // Singular ones, which TensorFlow 2 answers with NaN and 1.15 refuses, are in tests/python.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool pivots : {true, false})
    for (const std::int64_t n : {1, 2, 3})
      for (const double number : {1.0, nan})
        if (number != 1 || n == 1 || (n == 3 && pivots))
          cases.push_back({.op = "TridiagonalSolve",
                           .in = {filled<double>({3, n}, number), filled<double>({n, 2}, 1)},
                           .attrs = {{"partial_pivoting", pivots}},
                           .grad = false});
  cases.push_back({.op = "TridiagonalSolve",
                   .in = {random<float>({2, 3}, 1), random<float>({3, 2}, 1)},
                   .error = "3 rows|must be 3"});
  cases.push_back({.op = "TridiagonalSolve",
                   .in = {random<float>({3, 3}, 1), random<float>({2, 2}, 1)},
                   .error = "left-hand sides and right-hand sides|equal"});
  const Tensor row = random<float>({1, 3}, 1), rhs = random<float>({3, 2}, 1);
  cases.push_back({.op = "TridiagonalMatMul",
                   .in = {row, row, random<float>({1, 2}, 1), rhs},
                   .error = "Invalid subdiagonal shape|equal"});
  cases.push_back(
      {.op = "TridiagonalMatMul", .in = {random<float>({3}, 1), row, row, rhs}, .error = "rank"});
}

}  // namespace

extern const OpCases kTridiagonalCases{"tridiagonal", [] {
                                         std::vector<OpCase> cases;
                                         add_tridiagonal_values(cases);
                                         add_tridiagonal_edges(cases);
                                         return cases;
                                       }};

}  // namespace rill
