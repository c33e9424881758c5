#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSoftmaxCases{
    "softmax", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Softmax", "LogSoftmax"}) {
        for (const DType type : {DType::f16, DType::f32, DType::f64})
          for (const Shape& shape : {Shape{7}, Shape{3, 5}, Shape{2, 3, 40}})
            cases.push_back({.op = op,
                             .in = {random(type, shape, 1, -3, 3)},
                             .atol = type == DType::f16 ? 2e-3 : 1e-6});
        cases.push_back({.op = op,
                         .in = {tensor<float>({2, 3}, {1000, 1001, 1002, -1e4f, -1e4f, -1e4f})},
                         .grad = false});
        cases.push_back(
            {.op = op, .in = {tensor<float>({2, 2}, {NAN, 1, INFINITY, 1})}, .grad = false});
        cases.push_back({.op = op, .in = {tensor<float>({2, 0}, {})}, .grad = false});
        cases.push_back(
            {.op = op, .in = {random<float>({128, 1000}, 2, -5, 5)}, .atol = 1e-6, .grad = false});
      }
      return cases;
    }};

}  // namespace rill
