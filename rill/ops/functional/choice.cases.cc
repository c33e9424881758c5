#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kChoiceCases{
    "choice", [] {
      std::vector<OpCase> rows;
      const std::string functions = R"(
        function doubled(x: double, y: double) -> double = Mul(x, Add(y, y))
        function sums(x: double, y: double) -> double = Add(x, y)
        function squared(x: double, y: double) -> double = Square(Mul(x, y))
      )";
      const std::string attrs = "Tout=[double], then_branch=doubled, else_branch=sums";
      for (const std::string cond : {"true", "false", "int32 3", "0.0", "\"\"", "[1]", "int64 []"})
        add_graphs(rows, {"If", "StatelessIf", "_If"},
                   functions + "case = $OP(" + cond + ", (double [1 2], double 3), " + attrs + ")");
      for (const std::string index : {"0", "2", "3", "-1"})
        add_graphs(
            rows, {"Case", "StatelessCase"},
            functions + "case = $OP(" + index +
                ", (double [1 2], double 3), Tout=[double], branches=[doubled sums squared])");
      add_graphs(rows, {"If", "StatelessIf"}, R"(
        function fails(x: double) -> double = CheckNumerics(Log(x), message="no logarithm")
        function same(x: double) -> double = Identity(x)
        case = $OP(true, (double -1), Tout=[double], then_branch=fails, else_branch=same))",
                 "no logarithm : Tensor had NaN values");
      return rows;
    }};

}  // namespace rill
