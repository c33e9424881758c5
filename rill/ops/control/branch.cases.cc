#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBranchCases{"branch", [] {
                                    std::vector<OpCase> rows;
                                    const std::string two = R"(
        v = VariableV2(dtype=float, shape=[2])
        set_v = Assign(v, [1.0 2.0])
        u = VariableV2(dtype=float, shape=[2])
        set_u = Assign(u, [3.0 4.0])
      )";
                                    for (const std::string where : {"true", "false"}) {
                                      add_graphs(rows, {"Switch"}, R"(
          case = $OP([1.0 2.0], )" + where + R"()
          m = Merge((case, Neg(case:1)))
          fetch m, m:1)");
                                      add_graphs(rows, {"RefSwitch"}, two + R"(
          case = $OP(v, )" + where + R"() after set_u
          m = Merge((Neg(case), case:1))
          fetch m, m:1)");
                                      add_graphs(rows, {"Merge"}, R"(
          s = Switch([1 2], )" + where + R"()
          case = $OP((s, s:1))
          fetch case, case:1)");
                                      add_graphs(rows, {"RefMerge"}, two + R"(
          s = RefSwitch(v, )" + where + R"() after set_u
          case = $OP((s, s:1))
          fetch case, case:1)");
                                    }
                                    add_graphs(rows, {"Switch"}, R"(
        case = $OP([1.0 2.0], true)
        fetch case)",
                                               "Retval\\[0\\] does not have value");
                                    add_graphs(rows, {"RefSelect"}, two + R"(
        case = $OP(1, (v, u))
        AssignAdd(case, [10.0 10.0])
        fetch v, u)");
                                    add_graphs(rows, {"RefSelect"}, two + "case = $OP(2, (v, u))",
                                               "must be in the range");
                                    add_graphs(rows, {"_SwitchN"}, R"(
        case = $OP([1.0 2.0], 1, num_outs=3)
        m = Merge((case, case:1, case:2))
        fetch m, m:1)");
                                    // Beyond the end the last one is taken.
                                    add_graphs(rows, {"_SwitchN"}, R"(
        case = $OP([1.0 2.0], 7, num_outs=3)
        m = Merge((case, case:1, case:2))
        fetch m, m:1)");
                                    return rows;
                                  }};

}  // namespace rill
