#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

struct Sizes {
  Shape matrix, rhs;
};

// Nothing goes back to the regularizer; tests/gradients compares what goes to the others.
void add_least_squares_solutions(std::vector<OpCase>& cases) {
  const Sizes all[] = {{{4, 4}, {4, 2}},       {{6, 3}, {6, 2}},   {{3, 6}, {3, 2}},
                       {{2, 5, 3}, {2, 5, 1}}, {{1, 1}, {1, 1}},   {{2, 3, 5}, {2, 3, 4}},
                       {{40, 30}, {40, 3}},    {{30, 40}, {30, 3}}};
  for (const DType type : kCaseTypes)
    for (const Sizes& sizes : all)
      for (const double regularizer : {0.0, 0.5})
        for (const bool fast : {true, false}) {
          cases.push_back({.op = "MatrixSolveLs",
                           .in = {with_diagonal(type, sizes.matrix, 16, 3),
                                  random(type, sizes.rhs, 17), scalar<double>(regularizer)},
                           .attrs = {{"fast", fast}},
                           .rtol = 10 * loose(type),
                           .atol = 10 * loose_absolute(type),
                           .grad = false});
        }
  for (const DType type : {DType::f32, DType::f64})
    cases.push_back({.op = "BatchMatrixSolveLs",
                     .in = {with_diagonal(type, {2, 4, 3}, 16, 3), random(type, {2, 4, 2}, 17),
                            scalar<double>(0.1)},
                     .rtol = loose(type),
                     .atol = loose_absolute(type)});
}

void add_least_squares_edges(std::vector<OpCase>& cases) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor none = scalar<double>(0);
  // Of the many solutions for a matrix of lower rank the shortest.
  for (const DType type : kCaseTypes)
    cases.push_back({.op = "MatrixSolveLs",
                     .in = {filled(type, {3, 2}, 1), random(type, {3, 2}, 1), none},
                     .attrs = {{"fast", false}},
                     .rtol = loose(type),
                     .atol = loose_absolute(type),
                     .grad = false});
  cases.push_back({.op = "MatrixSolveLs",
                   .in = {filled<float>({2, 0}, 1), filled<float>({2, 2}, 1), none},
                   .grad = false});
  cases.push_back({.op = "MatrixSolveLs",
                   .in = {filled<float>({0, 2, 2}, 1), filled<float>({0, 2, 2}, 1), none},
                   .grad = false});
  cases.push_back({.op = "MatrixSolveLs",
                   .in = {filled<float>({2, 2}, nan), filled<float>({2, 2}, 1), none},
                   .grad = false});
  cases.push_back({.op = "MatrixSolveLs",
                   .in = {random<float>({2, 2}, 1), random<float>({2, 2}, 1), scalar<double>(-1)},
                   .error = "l2_regularizer must be >= 0."});
  cases.push_back(
      {.op = "MatrixSolveLs",
       .in = {random<float>({2, 2}, 1), random<float>({2, 2}, 1), filled<double>({2}, 0)},
       .error = "l2_regularizer must be scalar|rank 0"});
  cases.push_back({.op = "MatrixSolveLs",
                   .in = {random<float>({2, 3}, 1), random<float>({3, 2}, 1), none},
                   .error = "incompatible|equal"});
}

}  // namespace

extern const OpCases kLeastSquaresCases{"least_squares", [] {
                                          std::vector<OpCase> cases;
                                          add_least_squares_solutions(cases);
                                          add_least_squares_edges(cases);
                                          return cases;
                                        }};

}  // namespace rill
