#include "tests/optest/op_case.h"

namespace rill {
namespace {

// There are no derivatives by the first argument, so rows for the numeric check keep it fixed: it
// is whole, where a difference would leave what the functions are defined for.
void add_zeta(std::vector<OpCase>& cases) {
  cases.push_back({.op = "Zeta",
                   .in = {random<float>({3, 8}, 1, 1.2, 9), random<float>({3, 8}, 2, 0.2, 20)},
                   .grad = false});
  cases.push_back({.op = "Zeta",
                   .in = {random<double>({3, 1}, 3, 1.01, 30), random<double>({8}, 4, 0.2, 60)},
                   .rtol = 1e-12,
                   .grad = false});
  cases.push_back({.op = "Zeta",
                   .in = {tensor<double>({6}, {2, 3, 4, 5, 2, 3}),
                          tensor<double>({6}, {-0.5, -1.5, -2.25, -3.25, -100.5, -1e-5})},
                   .grad = false});
  cases.push_back(
      {.op = "Zeta",
       .in = {tensor<double>({13}, {1, 0.5, 2, 3, 2, 3, 2.5, INFINITY, NAN, 2, 2, 1.5, -1}),
              tensor<double>({13}, {1, 1, 0, 0, -1, -1, -1.5, 1, 1, INFINITY, NAN, 1e10, 2})},
       .grad = false});
}

void add_polygamma(std::vector<OpCase>& cases) {
  cases.push_back({.op = "Polygamma",
                   .in = {tensor<float>({5, 1}, {0, 1, 2, 3, 7}), random<float>({6}, 5, 0.3, 9)},
                   .grad = false});
  cases.push_back({.op = "Polygamma",
                   .in = {tensor<double>({5, 1}, {0, 1, 2, 5, 20}), random<double>({6}, 6, 0.3, 9)},
                   .rtol = 1e-9,
                   .grad = false});
  cases.push_back(
      {.op = "Polygamma",
       .in = {tensor<double>({12}, {-1, 0.5, 0, 1, 1, 1, 2, NAN, 1, 3, 0, 100}),
              tensor<double>({12}, {1, 1, 0, 0, -1, -1.5, -1.5, 1, INFINITY, NAN, -2, 1000})},
       .rtol = 1e-9,
       .grad = false});
}

}  // namespace

extern const OpCases kZetaCases{
    "zeta", [] {
      std::vector<OpCase> cases;
      add_zeta(cases);
      add_polygamma(cases);
      for (const char* op : {"Zeta", "Polygamma"}) {
        cases.push_back(
            {.op = op, .in = {tensor<float>({0, 2}, {}), scalar<float>(2)}, .grad = false});
        cases.push_back({.op = op,
                         .in = {tensor<float>({2}, {1, 2}), tensor<float>({3}, {1, 2, 3})},
                         .error = "Dimensions must be equal, but are 2 and 3"});
      }
      for (const char* op : {"Zeta", "Polygamma"})
        cases.push_back({.op = op,
                         .in = {tensor<float>({7}, {2, 3, 16, 17, 25, 5, 2}),
                                tensor<float>({7}, {1.5f, 0.25f, 2, 2, 1.25f, 1e-3f, 1e3f})},
                         .grad = false});
      return cases;
    }};

}  // namespace rill
