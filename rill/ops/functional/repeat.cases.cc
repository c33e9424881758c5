#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRepeatCases{
    "repeat", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"While", "StatelessWhile", "_While"}, R"(
        function below(x: double, i: int32) -> bool = Less(i, 3)
        function step(x: double, i: int32) -> double, int32 = Mul(x, double 2), Add(i, 1)
        case = $OP((double [1 2], 0), cond=below, body=step))");
      // No iteration at all.
      add_graphs(rows, {"While", "StatelessWhile", "_While"}, R"(
        function below(x: double, i: int32) -> bool = Less(i, 3)
        function step(x: double, i: int32) -> double, int32 = Mul(x, double 2), Add(i, 1)
        case = $OP((double [1 2], 5), cond=below, body=step))");
      for (const std::string range : {"0, 4, 1", "5, 0, -2", "3, 3, 1"})
        add_graphs(rows, {"For"},
                   R"(
          function step(i: int32, x: int32) -> int32 = Add(Mul(x, 10), i)
          case = $OP()" +
                       range + ", (7), body=step)");
      add_graphs(rows, {"For"}, R"(
        function step(i: int32, x: int32) -> int32 = Add(x, i)
        case = $OP(0, 5, 0, (7), body=step))",
                 "[Dd]elta");
      return rows;
    }};

}  // namespace rill
