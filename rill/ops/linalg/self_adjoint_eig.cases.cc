#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

void add_eig_vectors(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape :
         {Shape{1, 1}, Shape{2, 2}, Shape{3, 3}, Shape{2, 2, 5, 5}, Shape{16, 16}, Shape{60, 60}}) {
      // In single precision the signs of many vectors depend on how sums are rounded.
      if (shape.dim(0) == 60 && (type == DType::f32 || type == DType::c64)) continue;
      const bool is_real = type == DType::f32 || type == DType::f64;
      cases.push_back({.op = "SelfAdjointEigV2",
                       .in = {random(type, shape, 12)},
                       .rtol = loose(type),
                       .atol = 20 * loose_absolute(type),
                       .grad = is_real && shape.element_count() < 101});
    }
  for (const DType type : {DType::f32, DType::f64}) {
    const Tensor input = random(type, {2, 4, 4}, 13);
    for (const char* op : {"SelfAdjointEig", "BatchSelfAdjointEig", "BatchSelfAdjointEigV2"})
      cases.push_back(
          {.op = op, .in = {input}, .rtol = loose(type), .atol = 10 * loose_absolute(type)});
  }
}

void add_eig_edges(std::vector<OpCase>& cases) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Shape& shape : {Shape{0, 0}, Shape{2, 0, 0}, Shape{0, 3, 3}})
    cases.push_back({.op = "SelfAdjointEigV2", .in = {filled<float>(shape, 0)}, .grad = false});
  cases.push_back({.op = "SelfAdjointEigV2", .in = {filled<double>({3, 3}, 0)}, .grad = false});
  for (const double number : {nan, infinity})
    cases.push_back({.op = "SelfAdjointEigV2",
                     .in = {filled<float>({3, 3}, number)},
                     .error = "Self-adjoint eigen decomposition was not successful"});
  cases.push_back(
      {.op = "SelfAdjointEigV2", .in = {random<float>({2, 3}, 1)}, .error = "quare|equal"});
  cases.push_back({.op = "SelfAdjointEigV2", .in = {random<float>({3}, 1)}, .error = "rank"});
}

}  // namespace

extern const OpCases kSelfAdjointEigCases{"self_adjoint_eig", [] {
                                            std::vector<OpCase> cases;
                                            add_eig_vectors(cases);
                                            add_eig_edges(cases);
                                            return cases;
                                          }};

}  // namespace rill
