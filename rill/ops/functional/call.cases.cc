#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kCallCases{
    "call", [] {
      std::vector<OpCase> rows;
      const std::string functions = R"(
        function f(x: double, y: double) -> double, double = Mul(x, y), Add(x, Square(y))
        function g(x: double, y: double) -> double = Mul(Sin(x), y)
      )";
      add_graphs(rows, {"PartitionedCall", "StatefulPartitionedCall"},
                 functions + "case = $OP((double [1 2], double 3), Tout=[double double], f=f)");
      add_graphs(rows, {"StatefulPartitionedCall"}, R"(
        function next(v: resource) -> int32 = Identity(ReadVariableOp(v, dtype=int32))
        v = VarHandleOp(dtype=int32, shape=[])
        AssignVariableOp(v, 4)
        case = $OP((v), Tout=[int32], f=next))");
      add_graphs(rows, {"RemoteCall"}, functions + R"(
        case = $OP("/job:localhost/replica:0/task:0/device:CPU:0", (double [1 2], double 3),
                   Tout=[double double], f=f))");
      // The gradients of the inputs, given those of the outputs behind them.
      add_graphs(rows, {"SymbolicGradient"}, functions + R"(
        case = $OP((double [1 2], double 3, double [1 1]), Tout=[double double], f=g))");
      return rows;
    }};

}  // namespace rill
