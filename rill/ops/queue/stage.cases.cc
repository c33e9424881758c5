#include "tests/optest/op_case.h"

namespace rill {

// Nodes with the same shared_name have one area.
extern const OpCases kStageCases{
    "stage", [] {
      std::vector<OpCase> rows;
      const std::string area = "dtypes=[float int32], shared_name=\"area\"";
      const std::string filled =
          "Stage((1.5, [1 2]), shared_name=\"area\")\nStage((2.5, [3 4]), shared_name=\"area\")\n";
      add_graphs(rows, {"Stage"},
                 R"(
        case = Stage((1.5, [1 2]), shared_name="area")
        got = Unstage()" +
                     area + R"()
        fetch got, got:1, StageSize()" +
                     area + ")");
      add_graphs(rows, {"Unstage"},
                 filled + "case = $OP(" + area + ")\nfetch case, case:1, StageSize(" + area + ")");
      add_graphs(
          rows, {"StagePeek"},
          filled + "case = $OP(1, " + area + ")\nfetch case, case:1, StageSize(" + area + ")");
      add_graphs(rows, {"StageSize"}, filled + "case = $OP(" + area + ")");
      add_graphs(rows, {"StageClear"},
                 filled + "case = $OP(" + area + ")\nfetch StageSize(" + area + ")");
      return rows;
    }};

}  // namespace rill
