#include "tests/optest/op_case.h"

namespace rill {
namespace {

// There is a gradient by x alone, so rows do not take part in the numeric check of all inputs;
// tests/gradients compares it.
void add_rows(std::vector<OpCase>& cases, DType type, double rtol) {
  const auto row = [&](CaseInput a, CaseInput b, CaseInput x) {
    cases.push_back({.op = "Betainc", .in = {a, b, x}, .rtol = rtol, .atol = rtol, .grad = false});
  };
  const Tensor half = filled(type, {}, 0.4), two = filled(type, {}, 2.5);
  const Tensor a = random(type, {3, 6}, 1, 0.1, 12), b = random(type, {3, 6}, 2, 0.1, 12);
  const Tensor x = random(type, {3, 6}, 3, 0, 1);
  row(a, b, x);
  row(two, two, x);
  row(a, b, half);
  row(a, two, half);
  row(two, two, half);
  row(values(type, {4}, {30, 100, 1e-3, 50}), values(type, {4}, {20, 150, 1e-3, 0.5}),
      values(type, {4}, {0.55, 0.41, 0.5, 0.99}));
}

}  // namespace

extern const OpCases kBetaincCases{
    "betainc", [] {
      std::vector<OpCase> cases;
      add_rows(cases, DType::f32, 3e-5);
      add_rows(cases, DType::f64, 1e-10);
      cases.push_back({.op = "Betainc",
                       .in = {tensor<double>({11}, {0, -1, 1, 1, 1, 1, INFINITY, NAN, 2, 2, 1}),
                              tensor<double>({11}, {1, 1, 0, 1, 1, 1, 1, 1, 2, 2, INFINITY}),
                              tensor<double>({11}, {.5, .5, .5, -.1, 1.1, NAN, .5, .5, 0, 1, .5})},
                       .grad = false});
      const Tensor two = tensor<float>({2}, {1, 2}), three = tensor<float>({3}, {1, 2, 3});
      cases.push_back({.op = "Betainc",
                       .in = {tensor<float>({0}, {}), scalar<float>(1), scalar<float>(1)},
                       .grad = false});
      cases.push_back({.op = "Betainc",
                       .in = {two, three, scalar<float>(0.5f)},
                       .error = "Dimension 0 in both shapes must be equal, but are 2 and 3"});
      cases.push_back({.op = "Betainc",
                       .in = {two, scalar<float>(1), tensor<float>({1, 2}, {1, 2})},
                       .error = "Shapes must be equal rank, but are 1 and 2"});
      return cases;
    }};

}  // namespace rill
