#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

Shape with_columns(const Shape& shape, std::int64_t columns) {
  Shape out(shape.dims().first(static_cast<std::size_t>(shape.rank() - 1)));
  out.add_dim(columns);
  return out;
}

void add_solve_solutions(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape :
         {Shape{1, 1}, Shape{4, 4}, Shape{2, 3, 3}, Shape{37, 37}, Shape{2, 70, 70}}) {
      const bool small = shape.element_count() < 100;
      const Tensor matrix = with_diagonal(type, shape, 8, 3);
      for (const bool adjoint : {false, true}) {
        for (const std::int64_t columns : {1, 5})
          cases.push_back({.op = "MatrixSolve",
                           .in = {matrix, random(type, with_columns(shape, columns), 9)},
                           .attrs = {{"adjoint", adjoint}},
                           .rtol = 10 * loose(type),
                           .atol = loose_absolute(type),
                           .grad = small && columns == 5});
        cases.push_back({.op = "MatrixInverse",
                         .in = {matrix},
                         .attrs = {{"adjoint", adjoint}},
                         .rtol = 10 * loose(type),
                         .atol = loose_absolute(type),
                         .grad = small});
      }
    }
  for (const DType type : {DType::f32, DType::f64}) {
    const Tensor matrix = with_diagonal(type, {2, 3, 3}, 8, 3), rhs = random(type, {2, 3, 2}, 9);
    cases.push_back({.op = "BatchMatrixSolve", .in = {matrix, rhs}, .rtol = loose(type)});
    cases.push_back({.op = "BatchMatrixInverse", .in = {matrix}, .rtol = loose(type)});
    cases.push_back({.op = "BatchMatrixTriangularSolve", .in = {matrix, rhs}, .rtol = loose(type)});
  }
}

void add_triangles(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape :
         {Shape{1, 1}, Shape{4, 4}, Shape{2, 3, 3}, Shape{37, 37}, Shape{2, 70, 70}})
      for (const bool lower : {false, true})
        for (const bool adjoint : {false, true})
          for (const std::int64_t columns : {1, shape.dim(0) == 37 ? 33 : 5})
            cases.push_back({.op = "MatrixTriangularSolve",
                             .in = {with_diagonal(type, shape, 8, 10),
                                    random(type, with_columns(shape, columns), 9)},
                             .attrs = {{"lower", lower}, {"adjoint", adjoint}},
                             .rtol = loose(type),
                             .atol = loose_absolute(type),
                             .grad = shape.element_count() < 100 && columns == 5});
  // Leading dimensions broadcast.
  const std::pair<Shape, Shape> pairs[] = {
      {{3, 3}, {4, 3, 2}}, {{4, 3, 3}, {3, 2}}, {{2, 1, 3, 3}, {5, 3, 2}}, {{0, 3, 3}, {3, 2}}};
  for (const auto& [a, b] : pairs)
    cases.push_back({.op = "MatrixTriangularSolve",
                     .in = {with_diagonal(DType::f64, a, 8, 3), random<double>(b, 9)}});
}

void add_solve_edges(std::vector<OpCase>& cases) {
  for (const char* op : {"MatrixSolve", "MatrixTriangularSolve"}) {
    const std::pair<Shape, Shape> empty[] = {
        {{0, 0}, {0, 2}}, {{2, 2}, {2, 0}}, {{0, 2, 2}, {0, 2, 3}}, {{2, 0, 0}, {2, 0, 3}}};
    for (const auto& [a, b] : empty)
      cases.push_back({.op = op, .in = {filled<float>(a, 0), filled<float>(b, 0)}});
    cases.push_back({.op = op,
                     .in = {random<float>({2, 3}, 1), random<float>({2, 3}, 1)},
                     .error = "quare|equal"});
    cases.push_back({.op = op,
                     .in = {random<float>({2, 2}, 1), random<float>({3, 3}, 1)},
                     .error = "incompatible|equal"});
    cases.push_back({.op = op,
                     .in = {random<float>({2, 2, 2}, 1), random<float>({3, 2, 2}, 1)},
                     .error = "dimensions|equal"});
    cases.push_back(
        {.op = op, .in = {random<float>({2}, 1), random<float>({2}, 1)}, .error = "rank"});
  }
  cases.push_back({.op = "MatrixSolve",
                   .in = {random<float>({2, 2, 2}, 1), random<float>({2, 2}, 1)},
                   .error = "rank|equal"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double number : {0.0, 1.0, nan}) {
    cases.push_back({.op = "MatrixSolve",
                     .in = {filled<float>({2, 2}, number), random<float>({2, 2}, 1)},
                     .error = "Input matrix is not invertible."});
    cases.push_back({.op = "MatrixInverse",
                     .in = {filled<float>({2, 2}, number)},
                     .error = "Input is not invertible."});
  }
  cases.push_back({.op = "MatrixTriangularSolve",
                   .in = {filled<float>({2, 2}, nan), random<float>({2, 2}, 1)},
                   .grad = false});
  cases.push_back({.op = "MatrixInverse", .in = {filled<float>({2, 0, 0}, 0)}});
  cases.push_back(
      {.op = "MatrixInverse", .in = {random<float>({2, 3}, 1)}, .error = "quare|equal"});
}

}  // namespace

extern const OpCases kSolveCases{"solve", [] {
                                   std::vector<OpCase> cases;
                                   add_solve_solutions(cases);
                                   add_triangles(cases);
                                   add_solve_edges(cases);
                                   return cases;
                                 }};

}  // namespace rill
