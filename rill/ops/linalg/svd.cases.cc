#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

// The gradient asks for known sizes, as TensorFlow's does; tests/gradients compares it.
void add_svd_vectors(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape :
         {Shape{1, 1}, Shape{3, 3}, Shape{5, 3}, Shape{3, 4}, Shape{2, 2, 4, 3}, Shape{1, 4},
          Shape{4, 1}, Shape{20, 20}, Shape{40, 25}, Shape{25, 40}})
      for (const bool full : {false, true}) {
        const Tensor input = random(type, shape, 14);
        cases.push_back({.op = "Svd",
                         .in = {input},
                         .attrs = {{"full_matrices", full}},
                         .rtol = loose(type),
                         .atol = 20 * loose_absolute(type),
                         .grad = false});
      }
  for (const DType type : kCaseTypes)
    cases.push_back({.op = "BatchSvd",
                     .in = {random(type, {2, 4, 3}, 15)},
                     .rtol = loose(type),
                     .atol = 10 * loose_absolute(type)});
}

void add_svd_edges(std::vector<OpCase>& cases) {
  for (const bool full : {false, true})
    for (const Shape& shape : {Shape{0, 0}, Shape{2, 0, 3}, Shape{2, 3, 0}, Shape{0, 3, 3}})
      cases.push_back({.op = "Svd",
                       .in = {filled<float>(shape, 0)},
                       .attrs = {{"full_matrices", full}},
                       .grad = false});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double number : {0.0, nan, infinity})
    cases.push_back({.op = "Svd", .in = {filled<float>({3, 3}, number)}, .grad = false});
  cases.push_back({.op = "Svd", .in = {random<float>({3}, 1)}, .error = "rank"});
}

}  // namespace

extern const OpCases kSvdCases{"svd", [] {
                                 std::vector<OpCase> cases;
                                 add_svd_vectors(cases);
                                 add_svd_edges(cases);
                                 return cases;
                               }};

}  // namespace rill
