#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kUnaryCompositionCases{
    "unary_composition", [] {
      std::vector<OpCase> cases;
      const char* op = "_UnaryOpsComposition";
      using Names = std::vector<std::string>;
      for (const DType type : {DType::f16, DType::f32, DType::f64})
        for (const Names& names :
             {Names{"Sqrt"}, {"Square", "Log1p", "Neg", "Exp"}, {"Sin", "Tanh", "Abs", "Rsqrt"}})
          cases.push_back({.op = op,
                           .in = {random(type, {3, 11}, 1, 0.1, 2)},
                           .attrs = {{"op_names", names}},
                           .rtol = type == DType::f16 ? 1e-2 : -1});
      for (const char* name : {"Elu", "Relu", "Relu6", "Selu"})
        cases.push_back({.op = op,
                         .in = {random<float>({17}, 2, -9, 9)},
                         .attrs = {{"op_names", Names{"Neg", name}}}});
      cases.push_back(
          {.op = op, .in = {tensor<float>({0, 2}, {})}, .attrs = {{"op_names", Names{"Tanh"}}}});
      cases.push_back({.op = op,
                       .in = {random<float>({2}, 3)},
                       .attrs = {{"op_names", Names{"Tanh", "Nonesuch"}}},
                       .error = "Do not have a compute function registered for op: Nonesuch"});
      return cases;
    }};

}  // namespace rill
