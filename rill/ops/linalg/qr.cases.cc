#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

// The gradient asks for known sizes, as TensorFlow's does; tests/gradients compares it.
void add_qr_factors(std::vector<OpCase>& cases) {
  for (const DType type : kCaseTypes)
    for (const Shape& shape : {Shape{1, 1}, Shape{4, 4}, Shape{5, 3}, Shape{3, 5},
                               Shape{2, 2, 6, 4}, Shape{1, 4}, Shape{4, 1}, Shape{70, 60}})
      for (const bool full : {false, true}) {
        cases.push_back({.op = "Qr",
                         .in = {random(type, shape, 11)},
                         .attrs = {{"full_matrices", full}},
                         .rtol = loose(type),
                         .atol = 10 * loose_absolute(type),
                         .grad = false});
      }
}

void add_qr_edges(std::vector<OpCase>& cases) {
  for (const bool full : {false, true})
    for (const Shape& shape : {Shape{0, 0}, Shape{2, 0, 3}, Shape{2, 3, 0}, Shape{0, 3, 3}})
      cases.push_back({.op = "Qr",
                       .in = {filled<float>(shape, 0)},
                       .attrs = {{"full_matrices", full}},
                       .grad = false});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  cases.push_back({.op = "Qr", .in = {filled<float>({2, 2}, nan)}, .grad = false});
  cases.push_back({.op = "Qr", .in = {filled<float>({3, 2}, 0)}, .grad = false});
  cases.push_back({.op = "Qr", .in = {random<float>({3}, 1)}, .error = "rank"});
}

}  // namespace

extern const OpCases kQrCases{"qr", [] {
                                std::vector<OpCase> cases;
                                add_qr_factors(cases);
                                add_qr_edges(cases);
                                return cases;
                              }};

}  // namespace rill
