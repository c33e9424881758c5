#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBesselCases{
    "bessel", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"BesselI0e", "BesselI1e"}) {
        for (const DType type : {DType::f16, DType::f32, DType::f64}) {
          cases.push_back({.op = op, .in = {random(type, {5, 7}, 1, -9, 9)}});
          cases.push_back({.op = op, .in = {random(type, {17}, 2, 5, 300)}});
        }
        cases.push_back(
            {.op = op, .in = {tensor<double>({4}, {29.999, 30, 30.001, -30})}, .rtol = 1e-13});
        cases.push_back(
            {.op = op,
             .in = {tensor<float>({7}, {NAN, INFINITY, -INFINITY, 0, 1e-30f, 1e30f, 8})},
             .grad = false});
        cases.push_back({.op = op, .in = {tensor<float>({0, 3}, {})}});
      }
      return cases;
    }};

}  // namespace rill
