#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBiasAddCases{
    "bias_add", [] {
      std::vector<OpCase> cases;
      for (const DType type :
           {DType::f16, DType::f32, DType::f64, DType::i32, DType::i64, DType::c64}) {
        cases.push_back({.op = "BiasAdd",
                         .in = {random(type, {2, 3, 4}, 1, 0, 9), random(type, {4}, 2, 0, 9)}});
        cases.push_back(
            {.op = "BiasAddV1", .in = {random(type, {5, 4}, 1, 0, 9), random(type, {4}, 2, 0, 9)}});
        cases.push_back({.op = "BiasAddGrad",
                         .in = {random(type, {2, 3, 4}, 1, 0, 9)},
                         .rtol = type == DType::f16 ? 5e-3 : -1});
      }
      cases.push_back({.op = "BiasAdd",
                       .in = {random<float>({2, 3, 4, 5}, 1), random<float>({3}, 2)},
                       .attrs = {{"data_format", "NCHW"}}});
      cases.push_back({.op = "BiasAddGrad",
                       .in = {random<float>({2, 3, 4, 5}, 1)},
                       .attrs = {{"data_format", "NCHW"}}});
      cases.push_back(
          {.op = "BiasAddGrad", .in = {random<float>({300, 10}, 1)}, .atol = 1e-5, .grad = false});
      cases.push_back({.op = "BiasAdd",
                       .in = {random<float>({1, 2}, 1), random<float>({3}, 2)},
                       .error = "Must provide as many biases as the last dimension of the input "
                                "tensor: \\[3\\] vs. \\[1,2\\]"});
      cases.push_back({.op = "BiasAdd",
                       .in = {random<float>({2}, 1), random<float>({2}, 2)},
                       .error = "Input tensor must be at least 2D: \\[2\\]"});
      return cases;
    }};

}  // namespace rill
