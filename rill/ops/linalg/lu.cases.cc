#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

void add_lu_factors(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape : {Shape{1, 1}, Shape{4, 4}, Shape{2, 3, 3, 3}, Shape{16, 16},
                               Shape{37, 37}, Shape{2, 70, 70}}) {
      const bool small = shape.element_count() < 100;
      for (const char* op : {"Lu", "MatrixDeterminant", "LogMatrixDeterminant"})
        cases.push_back({.op = op,
                         .in = {random(type, shape, 5)},
                         .rtol = 10 * loose(type),
                         .atol = loose_absolute(type),
                         .grad = small && type != DType::c64 && type != DType::c128});
    }
  for (const DType type : kCaseTypes)
    cases.push_back(
        {.op = "BatchMatrixDeterminant", .in = {random(type, {2, 3, 3}, 6)}, .rtol = loose(type)});
  for (const DType index : {DType::i32, DType::i64})
    cases.push_back(
        {.op = "Lu", .in = {random<double>({2, 5, 5}, 7)}, .attrs = {{"output_idx_type", index}}});
}

void add_lu_edges(std::vector<OpCase>& cases) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* op : {"Lu", "MatrixDeterminant", "LogMatrixDeterminant"}) {
    for (const Shape& shape : {Shape{0, 0}, Shape{2, 0, 0}, Shape{0, 3, 3}})
      cases.push_back({.op = op, .in = {filled<float>(shape, 0)}});
    cases.push_back({.op = op, .in = {random<float>({2, 3}, 1)}, .error = "quare|equal"});
    cases.push_back({.op = op, .in = {random<float>({3}, 1)}, .error = "rank"});
  }
  for (const char* op : {"MatrixDeterminant", "LogMatrixDeterminant"})
    for (const double number : {0.0, 1.0, nan, infinity})
      cases.push_back({.op = op, .in = {filled<float>({2, 2}, number)}, .grad = false});
  for (const double number : {0.0, 1.0, nan})
    cases.push_back({.op = "Lu", .in = {filled<float>({2, 2}, number)}, .error = "not invertible"});
}

}  // namespace

extern const OpCases kLuCases{"lu", [] {
                                std::vector<OpCase> cases;
                                add_lu_factors(cases);
                                add_lu_edges(cases);
                                return cases;
                              }};

}  // namespace rill
