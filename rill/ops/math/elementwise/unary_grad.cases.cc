#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kUnaryGradCases{
    "unary_grad", [] {
      std::vector<OpCase> cases;
      for (const char* op :
           {"TanhGrad", "SigmoidGrad", "InvGrad", "ReciprocalGrad", "SqrtGrad", "RsqrtGrad"})
        for (const DType type : {DType::f16, DType::f32, DType::f64, DType::c64, DType::c128})
          cases.push_back(
              {.op = op,
               .in = {random(type, {3, 7}, 1, 0.5, 0.9), random(type, {3, 7}, 2, -1, 1)},
               .rtol = type == DType::f16 ? 5e-3 : -1,
               .atol = type == DType::f16 ? 2e-3 : 1e-6});
      return cases;
    }};

}  // namespace rill
