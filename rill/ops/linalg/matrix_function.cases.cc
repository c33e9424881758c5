#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

void add_matrix_function_values(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape :
         {Shape{1, 1}, Shape{2, 2}, Shape{3, 3}, Shape{2, 4, 4}, Shape{20, 20}}) {
      const bool is_real = type == DType::f32 || type == DType::f64;
      for (const char* op : {"MatrixExponential", "MatrixSquareRoot", "MatrixLogarithm"}) {
        if (is_real && op == std::string_view("MatrixLogarithm")) continue;
        cases.push_back({.op = op,
                         .in = {with_diagonal(type, shape, 20, 5)},
                         .rtol = 5 * loose(type),
                         .atol = 20 * loose_absolute(type),
                         .grad = shape.element_count() < 100});
        if (op == std::string_view("MatrixSquareRoot")) continue;
        cases.push_back({.op = op,
                         .in = {random(type, shape, 21)},
                         .rtol = 5 * loose(type),
                         .atol = 20 * loose_absolute(type)});
      }
    }
}

void add_matrix_function_edges(std::vector<OpCase>& cases) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* op : {"MatrixExponential", "MatrixSquareRoot", "MatrixLogarithm"}) {
    const DType type = op == std::string_view("MatrixLogarithm") ? DType::c64 : DType::f32;
    for (const Shape& shape : {Shape{0, 0}, Shape{2, 0, 0}, Shape{0, 3, 3}})
      cases.push_back({.op = op, .in = {filled(type, shape, 0)}, .grad = false});
    cases.push_back({.op = op, .in = {random(type, {2, 3}, 1)}, .error = "quare|equal"});
    cases.push_back({.op = op, .in = {random(type, {3}, 1)}, .error = "rank"});
  }
  for (const double number : {0.0, nan, 50.0})
    cases.push_back(
        {.op = "MatrixExponential", .in = {filled<float>({2, 2}, number)}, .rtol = 1e-3});
  cases.push_back({.op = "MatrixSquareRoot",
                   .in = {values(DType::f32, {2, 2}, {-1, 0, 0, -1})},
                   .grad = false});
  cases.push_back(
      {.op = "MatrixSquareRoot", .in = {values(DType::f32, {2, 2}, {-1, 0, 0, 4})}, .grad = false});
  cases.push_back({.op = "MatrixSquareRoot",
                   .in = {values(DType::f32, {2, 2}, {0, -1, 1, 0})},
                   .rtol = 1e-4,
                   .grad = false});
  for (const double number : {nan, infinity})
    cases.push_back(
        {.op = "MatrixSquareRoot", .in = {filled<float>({3, 3}, number)}, .grad = false});
  cases.push_back({.op = "MatrixLogarithm",
                   .in = {filled(DType::c64, {2, 2}, nan)},
                   .compare = Compare::kShapes});
}

}  // namespace

extern const OpCases kMatrixFunctionCases{"matrix_function", [] {
                                            std::vector<OpCase> cases;
                                            add_matrix_function_values(cases);
                                            add_matrix_function_edges(cases);
                                            return cases;
                                          }};

}  // namespace rill
