#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

// Gradients go to both triangles although one is read, so that differences tell something else
// of matrices that have more than a diagonal. tests/gradients compares them with TensorFlow's.
void add_cholesky_factors(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape : {Shape{1, 1}, Shape{5, 5}, Shape{2, 3, 4, 4}, Shape{16, 16},
                               Shape{37, 37}, Shape{2, 100, 100}})
      cases.push_back({.op = "Cholesky",
                       .in = {positive_definite(type, shape, 1)},
                       .rtol = loose(type),
                       .atol = loose_absolute(type),
                       .grad = shape.element_count() == 1});
  for (const DType type : {DType::f32, DType::f64}) {
    cases.push_back({.op = "BatchCholesky", .in = {positive_definite(type, {2, 3, 3}, 2)}});
    for (const Shape& shape : {Shape{1, 1}, Shape{5, 5}, Shape{2, 20, 20}, Shape{70, 70}}) {
      const std::vector<CaseInput> in = {with_diagonal(type, shape, 3, 20), random(type, shape, 4)};
      cases.push_back(
          {.op = "CholeskyGrad", .in = in, .rtol = loose(type), .atol = loose_absolute(type)});
      if (shape.rank() == 3)
        cases.push_back({.op = "BatchCholeskyGrad",
                         .in = in,
                         .rtol = loose(type),
                         .atol = loose_absolute(type)});
    }
  }
}

void add_cholesky_edges(std::vector<OpCase>& cases) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Shape& shape : {Shape{0, 0}, Shape{2, 0, 0}, Shape{0, 3, 3}}) {
    cases.push_back({.op = "Cholesky", .in = {filled<float>(shape, 0)}});
    cases.push_back(
        {.op = "CholeskyGrad", .in = {filled<float>(shape, 0), filled<float>(shape, 0)}});
  }
  cases.push_back({.op = "Cholesky", .in = {filled<float>({1, 1}, nan)}, .grad = false});
  // Only the lower triangle is read, and of the diagonal the real part.
  cases.push_back(
      {.op = "Cholesky", .in = {tensor<float>({2, 2}, {4, nanf(""), 2, 5})}, .grad = false});
  cases.push_back({.op = "Cholesky",
                   .in = {tensor<std::complex<float>>({2, 2}, {{2, 1}, {0, 0}, {0, 0}, {2, 0}})},
                   .grad = false});
  cases.push_back({.op = "Cholesky", .in = {random<float>({2, 3}, 1)}, .error = "quare|equal"});
  cases.push_back({.op = "Cholesky", .in = {random<float>({3}, 1)}, .error = "rank"});
  cases.push_back({.op = "CholeskyGrad",
                   .in = {random<float>({2, 2}, 1), random<float>({3, 3}, 1)},
                   .error = "same shape|equal"});
}

}  // namespace

extern const OpCases kCholeskyCases{"cholesky", [] {
                                      std::vector<OpCase> cases;
                                      add_cholesky_factors(cases);
                                      add_cholesky_edges(cases);
                                      return cases;
                                    }};

}  // namespace rill
