#include "tests/optest/op_case.h"

namespace rill {
namespace {

void add_op(std::vector<OpCase>& cases, const char* op) {
  // TensorFlow computes floats in float, and loses some digits.
  cases.push_back({.op = op,
                   .in = {random<float>({4, 9}, 1, 0.1, 8), random<float>({4, 9}, 2, 0.1, 9)},
                   .rtol = 2e-5,
                   .atol = 2e-6});
  cases.push_back({.op = op,
                   .in = {random<double>({4, 9}, 3, 0.1, 8), random<double>({4, 9}, 4, 0.1, 9)},
                   .rtol = 1e-9});
  cases.push_back({.op = op,
                   .in = {random<double>({5, 1}, 5, 0.1, 40), random<double>({7}, 6, 0.1, 60)},
                   .rtol = 1e-8,
                   .atol = 1e-13});
  cases.push_back(
      {.op = op, .in = {scalar<double>(2.5), random<double>({3}, 7, 0.01, 0.5)}, .rtol = 1e-9});
  // Shapes up to some thousands, where TensorFlow's series still converge.
  cases.push_back({.op = op,
                   .in = {tensor<double>({5}, {300, 1000, 1000, 1e-3, 1e-8}),
                          tensor<double>({5}, {310, 950, 1050, 0.5, 2})},
                   .rtol = 1e-7,
                   .atol = 1e-13,
                   .grad = false});
  cases.push_back({.op = op,
                   .in = {tensor<double>({10}, {0, -1, 1, 1, 1, INFINITY, 1, NAN, 2, 5}),
                          tensor<double>({10}, {1, 1, -1, 0, INFINITY, 1, NAN, 1, -0.0, 1e4})},
                   .grad = false});
  cases.push_back({.op = op, .in = {tensor<float>({0, 2}, {}), scalar<float>(1)}});
  cases.push_back({.op = op,
                   .in = {tensor<float>({2}, {1, 2}), tensor<float>({3}, {1, 2, 3})},
                   .error = "Dimensions must be equal, but are 2 and 3"});
}

}  // namespace

extern const OpCases kIgammaCases{
    "igamma", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Igamma", "Igammac", "IgammaGradA"}) add_op(cases, op);
      // Where TensorFlow's series give up: these are from the uniform expansion, to all digits
      // shown; the two functions add up to one.
      const Tensor a = tensor<double>({3}, {1e7, 1e10, 1e7}),
                   x = tensor<double>({3}, {1e7, 1e10, 2e7});
      cases.push_back({.op = "Igamma",
                       .in = {a, x},
                       .rtol = 1e-8,
                       .grad = false,
                       .want = {tensor<double>({3}, {0.500042052208723, 0.5000013298076013, 1})}});
      cases.push_back({.op = "Igammac",
                       .in = {a, x},
                       .rtol = 1e-8,
                       .grad = false,
                       .want = {tensor<double>({3}, {0.499957947791277, 0.4999986701923987, 0})}});
      return cases;
    }};

}  // namespace rill
