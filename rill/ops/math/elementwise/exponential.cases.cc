#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kExponentialCases{
    "exponential", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Exp", "Expm1", "Log", "Log1p", "Tanh", "Sigmoid"}) {
        for (const DType type : {DType::f16, DType::f32, DType::f64, DType::c64, DType::c128})
          cases.push_back({.op = op, .in = {random(type, {3, 7}, 1, 0.1, 3)}});
        cases.push_back({.op = op,
                         .in = {tensor<float>({7}, {NAN, INFINITY, -INFINITY, 0, -1, 1e-8f, 30})},
                         .grad = false});
        cases.push_back({.op = op, .in = {random<float>({64, 1024}, 2, 0, 4)}});
      }
      for (const char* op : {"Exp", "Expm1", "Tanh", "Sigmoid"})
        cases.push_back({.op = op, .in = {random<float>({500}, 3, -20, 20)}, .grad = false});
      cases.push_back(
          {.op = "Exp", .in = {tensor<float>({5}, {88.5f, 89, 200, -80, -200})}, .grad = false});
      cases.push_back({.op = "Log",
                       .in = {tensor<float>({5}, {1e-37f, 1e-30f, 3e38f, 1.0000001f, 0.99999994f})},
                       .grad = false});
      cases.push_back({.op = "Log1p",
                       .in = {tensor<float>({4}, {-0.5f, 1e-20f, -1e-5f, 1e30f})},
                       .grad = false});
      cases.push_back({.op = "Tanh",
                       .in = {tensor<float>({6}, {1e-20f, -1e-4f, 0.3f, -0.6f, 9, -50})},
                       .grad = false});
      const Tensor doubles = tensor<double>(
          {12}, {NAN, INFINITY, -INFINITY, -0.0, 709.7, 710, -708, -750, 1e-300, 1e-9, 19, 25});
      for (const char* op : {"Exp", "Log", "Tanh", "Sigmoid"}) {
        cases.push_back({.op = op, .in = {doubles}, .grad = false});
        cases.push_back({.op = op, .in = {random<double>({501}, 4, 0.01, 40)}, .grad = false});
      }
      cases.push_back(
          {.op = "Exp", .in = {random<std::complex<float>>({601}, 5, -9, 9)}, .grad = false});
      cases.push_back(
          {.op = "Exp",
           .in = {tensor<std::complex<float>>({4}, {{1, 1e9f}, {85, 1}, {-100, 2}, {0, -0.0f}})},
           .grad = false});
      return cases;
    }};

}  // namespace rill
