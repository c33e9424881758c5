#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kTrigonometryCases{
    "trigonometry", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Sin", "Cos", "Tan"})
        for (const DType type : {DType::f16, DType::f32, DType::f64, DType::c64, DType::c128})
          cases.push_back({.op = op, .in = {random(type, {3, 7}, 1, -1.4, 1.4)}});
      for (const char* op : {"Asin", "Acos", "Atan"})
        for (const DType type : {DType::f32, DType::f64})
          cases.push_back({.op = op, .in = {random(type, {3, 7}, 2, -0.9, 0.9)}});
      for (const char* op : {"Sinh", "Cosh", "Asinh"})
        for (const DType type : {DType::f32, DType::f64, DType::c64, DType::c128})
          cases.push_back({.op = op, .in = {random(type, {3, 7}, 3, -2, 2)}});
      for (const DType type : {DType::f32, DType::f64, DType::c64, DType::c128}) {
        cases.push_back({.op = "Acosh", .in = {random(type, {3, 7}, 4, 1.1, 5)}});
        cases.push_back({.op = "Atanh", .in = {random(type, {3, 7}, 5, -0.9, 0.9)}});
      }
      const Tensor extremes = tensor<float>({4}, {NAN, INFINITY, -INFINITY, 2});
      for (const char* op :
           {"Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh"})
        cases.push_back({.op = op, .in = {extremes}, .grad = false});
      for (const char* op : {"Sin", "Cos", "Tan"}) {
        cases.push_back({.op = op, .in = {random<float>({1001}, 6, -60, 60)}, .grad = false});
        cases.push_back({.op = op,
                         .in = {tensor<float>({9}, {-0.0f, 1e-30f, 1e5f, 1048576, -1048577, 3e7f,
                                                    -1e20f, 3e38f, 0.5f})},
                         .rtol = 1e-4,
                         .grad = false});
      }
      for (const char* op : {"Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Atanh"})
        cases.push_back({.op = op,
                         .in = {tensor<float>({11}, {-0.0f, 1e-30f, 1, -1, 0.5f, -0.5f, 0.99999994f,
                                                     -0.03125f, 0.001f, -0.51f, 0.7f})},
                         .grad = false});
      for (const DType type : {DType::f32, DType::f64})
        cases.push_back({.op = "Atan", .in = {random(type, {301}, 7, -9, 9)}, .grad = false});
      for (const char* op : {"Sinh", "Cosh", "Asinh", "Acosh"})
        cases.push_back({.op = op,
                         .in = {tensor<float>({6}, {88, -89, 1, 1.0000001f, 20, 3e38f})},
                         .grad = false});
      return cases;
    }};

}  // namespace rill
