#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSeveralVariablesCases{"several_variables", [] {
                                              std::vector<OpCase> rows;
                                              add_graphs(rows, {"_VarHandlesOp"}, R"(
        case = $OP(containers=["" ""], shared_names=["v" "u"], N=2, dtypes=[float int32],
                   shapes=[[2] []])
        AssignVariableOp(case, [1.0 2.0])
        AssignVariableOp(case:1, 3)
        u = VarHandleOp(dtype=int32, shape=[], shared_name="u")
        fetch ReadVariableOp(case, dtype=float), ReadVariableOp(u, dtype=int32))");
                                              add_graphs(rows, {"_ReadVariablesOp"}, R"(
        v = VarHandleOp(dtype=float, shape=[2], shared_name="v")
        u = VarHandleOp(dtype=int32, shape=[], shared_name="u")
        AssignVariableOp(v, [1.0 2.0])
        AssignVariableOp(u, 3)
        case = $OP((v, u), dtypes=[float int32]))");
                                              return rows;
                                            }};

}  // namespace rill
