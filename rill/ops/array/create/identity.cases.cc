#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kIdentityCases{
    "identity", [] {
      return std::vector<OpCase>{
          {.op = "Identity", .in = {sequence<float>({2, 2})}},
          {.op = "Identity", .in = {strings({2}, {"a", "b"})}},
          {.op = "IdentityN", .in = {list({sequence<float>({2}), strings({1}, {"x"})})}},
          {.op = "StopGradient", .in = {sequence<double>({2})}},
          {.op = "PreventGradient", .in = {sequence<double>({2})}, .grad = false},
          {.op = "GuaranteeConst", .in = {sequence<float>({2, 2})}},
          {.op = "GuaranteeConst", .in = {strings({2}, {"a", "b"})}},
          {.op = "DebugGradientIdentity", .in = {sequence<double>({3})}},
          {.op = "DebugGradientIdentity", .in = {strings({2}, {"a", "b"})}},
          {.op = "RefIdentity", .in = {ref(sequence<float>({2}))}},
          {.op = "DebugGradientRefIdentity", .in = {ref(sequence<float>({2}))}},
          {.op = "Snapshot", .in = {sequence<std::int32_t>({3})}},
      };
    }};

}  // namespace rill
