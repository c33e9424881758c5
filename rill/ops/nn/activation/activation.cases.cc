#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kActivationCases{
    "activation", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Elu", "Selu", "Softplus", "Softsign"}) {
        for (const DType type : {DType::f16, DType::f32, DType::f64})
          cases.push_back({.op = op,
                           .in = {random(type, {3, 5}, 1, -3, 3)},
                           .atol = type == DType::f16 ? 1e-3 : 1e-7});
        cases.push_back({.op = op, .in = {tensor<float>({4}, {NAN, -200, 200, 0})}, .grad = false});
      }
      for (const char* op : {"EluGrad", "SeluGrad", "SoftplusGrad", "SoftsignGrad"})
        for (const DType type : {DType::f16, DType::f32, DType::f64})
          cases.push_back({.op = op,
                           .in = {random(type, {3, 5}, 1), random(type, {3, 5}, 2)},
                           .atol = type == DType::f16 ? 1e-3 : 1e-7});
      return cases;
    }};

}  // namespace rill
