#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSpecialCases{
    "special", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Erf", "Erfc", "Lgamma", "Digamma"}) {
        for (const DType type : {DType::f16, DType::f32, DType::f64})
          cases.push_back({.op = op,
                           .in = {random(type, {3, 7}, 1, 0.1, 3)},
                           .atol = type == DType::f16 ? 2e-3 : 1e-6});
        cases.push_back({.op = op,
                         .in = {tensor<float>({3}, {NAN, INFINITY, 20})},
                         .atol = 1e-6,
                         .grad = false});
      }
      cases.push_back({.op = "Lgamma",
                       .in = {tensor<float>({5}, {0, -1, -0.5f, 100, -INFINITY})},
                       .grad = false});
      cases.push_back({.op = "Digamma",
                       .in = {tensor<double>({6}, {0, -1, -0.5, 100, -INFINITY, -7.3})},
                       .rtol = 1e-9,
                       .grad = false});
      cases.push_back(
          {.op = "Erf", .in = {tensor<float>({4}, {-5, 1e-8f, 0.5f, 5})}, .grad = false});
      for (const char* op : {"Erf", "Erfc", "Digamma"})
        cases.push_back(
            {.op = op, .in = {random<float>({601}, 2, 0.01, 9)}, .atol = 1e-6, .grad = false});
      for (const char* op : {"Erf", "Erfc"}) {
        cases.push_back({.op = op, .in = {random<float>({301}, 3, -5, 5)}, .grad = false});
        cases.push_back({.op = op,
                         .in = {tensor<float>({7}, {-0.0f, 0.9375f, -INFINITY, 9, -12, 3.9f, 30})},
                         .grad = false});
      }
      cases.push_back({.op = "Digamma",
                       .in = {tensor<float>({7}, {0, -1, -0.5f, 1e-30f, 6, 1e30f, -INFINITY})},
                       .grad = false});
      return cases;
    }};

}  // namespace rill
