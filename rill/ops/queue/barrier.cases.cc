#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBarrierCases{
    "barrier", [] {
      std::vector<OpCase> rows;
      const std::string filled = R"(
        b = Barrier(component_types=[float int32], shapes=[[] []])
        BarrierInsertMany(b, ["k1" "k2" "k3"], [1.0 2.0 3.0], component_index=0)
        BarrierInsertMany(b, ["k1" "k3"], [10 30], component_index=1)
      )";
      add_graphs(rows, {"Barrier"}, R"(
        case = $OP(component_types=[float], shapes=[[]])
        BarrierInsertMany(case, ["a"], [1.5], component_index=0)
        got = BarrierTakeMany(case, 1, component_types=[float])
        fetch got:1, got:2, BarrierReadySize(case), BarrierIncompleteSize(case))");
      add_graphs(rows, {"BarrierInsertMany"}, filled + R"(
        case = $OP(b, ["k2"], [20], component_index=1)
        fetch BarrierReadySize(b), BarrierIncompleteSize(b))");
      add_graphs(rows, {"BarrierInsertMany"},
                 filled + "case = $OP(b, [\"k2\"], [5.0], component_index=0)",
                 "already has a value for component 0");
      add_graphs(rows, {"BarrierReadySize", "BarrierIncompleteSize"}, filled + "case = $OP(b)");
      add_graphs(rows, {"BarrierTakeMany"}, filled + R"(
        case = $OP(b, 2, component_types=[float int32])
        fetch case, case:1, case:2, case:3, BarrierIncompleteSize(b))");
      add_graphs(rows, {"BarrierTakeMany"}, filled + R"(
        BarrierClose(b, cancel_pending_enqueues=true)
        case = $OP(b, 5, component_types=[float int32]))",
                 "is closed");
      add_graphs(rows, {"BarrierClose"}, filled + R"(
        case = $OP(b)
        got = BarrierTakeMany(b, 5, component_types=[float int32], allow_small_batch=true)
        fetch got:1, got:2, got:3)");
      return rows;
    }};

}  // namespace rill
