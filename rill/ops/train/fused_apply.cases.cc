#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kFusedApplyCases{
    "fused_apply", [] {
      std::vector<OpCase> rows;
      // Each variable beside its slot: accumulator = 0.5 accumulator + gradient.
      rows.push_back({.op = "_FusedApply",
                      .want = {tensor<float>({2}, {0.5, 1}), tensor<float>({1}, {2}),
                               tensor<float>({2}, {5, 10})},
                      .graph = R"(
        v = VariableV2(dtype=float, shape=[2])
        u = VariableV2(dtype=float, shape=[1])
        m = VariableV2(dtype=float, shape=[2])
        n = VariableV2(dtype=float, shape=[1])
        Assign(v, [1.0 2.0])
        Assign(u, [3.0])
        Assign(m, [2.0 4.0])
        Assign(n, [0.0])
        case = $OP((v, m, u, n), ([4.0 8.0], [10.0]), (0.1, 0.5), update="ApplyMomentum")
        fetch v, u, m)"});
      rows.push_back({.op = "_FusedResourceApply",
                      .want = {tensor<float>({2}, {0.5, 1}), tensor<float>({1}, {2})},
                      .graph = R"(
        v = VarHandleOp(dtype=float, shape=[2], shared_name="v")
        u = VarHandleOp(dtype=float, shape=[1], shared_name="u")
        AssignVariableOp(v, [1.0 2.0])
        AssignVariableOp(u, [3.0])
        case = $OP((v, u), ([5.0 10.0], [10.0]), (0.1), update="ResourceApplyGradientDescent")
        fetch ReadVariableOp(v, dtype=float), ReadVariableOp(u, dtype=float))"});
      return rows;
    }};

}  // namespace rill
