#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kVariableCases{"variable", [] {
                                      std::vector<OpCase> rows;
                                      add_graphs(rows, {"Variable", "VariableV2"}, R"(
        case = $OP(dtype=float, shape=[2], shared_name="v")
        before = IsVariableInitialized(case)
        Assign(case, [1.0 2.0])
        same = $OP(dtype=float, shape=[2], shared_name="v")
        fetch before, case, same, IsVariableInitialized(same))");
                                      add_graphs(rows, {"Variable", "VariableV2"}, R"(
        case = $OP(dtype=float, shape=[2])
        fetch case)",
                                                 "uninitialized");
                                      add_graphs(rows, {"TemporaryVariable"}, R"(
        case = $OP(dtype=float, shape=[2], var_name="t")
        filled = Assign(case, [1.0 2.0])
        fetch DestroyTemporaryVariable(filled, var_name="t"))");
                                      add_graphs(rows, {"DestroyTemporaryVariable"}, R"(
        t = TemporaryVariable(dtype=float, shape=[2], var_name="t")
        filled = Assign(t, [1.0 2.0])
        case = $OP(filled, var_name="t"))");
                                      add_graphs(rows, {"DestroyTemporaryVariable"}, R"(
        t = TemporaryVariable(dtype=float, shape=[2], var_name="t")
        filled = Assign(t, [1.0 2.0])
        case = $OP(filled, var_name="other"))",
                                                 "other");
                                      return rows;
                                    }};

}  // namespace rill
