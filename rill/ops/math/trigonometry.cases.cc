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
      return cases;
    }};

}  // namespace rill
