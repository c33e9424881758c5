#include "tests/optest/op_case.h"

namespace rill {
namespace {

// TensorFlow forgets to move the state on while it shares memory with its first value; a skip gives
// it memory of its own.
std::string binomial(const std::string& arguments) {
  return R"(
    state = VarHandleOp(dtype=int64, shape=[3], shared_name="state")
    AssignVariableOp(state, int64 [1 2 3])
    RngSkip(state, 1, 2)
    case = $OP(state, 1, [3 4], )" +
         arguments + R"()
    fetch case, ReadVariableOp(state, dtype=int64))";
}

std::vector<OpCase> random_binomial_rows() {
  std::vector<OpCase> rows;
  for (const char* arguments : {"double 10, double 0.3", "[5.0 50.0 500.0 0.0], 0.5, dtype=float",
                                "double 100, double [0 1 0.99 0.4], dtype=int32"})
    add_graphs(rows, {"StatefulRandomBinomial"}, binomial(arguments));
  return rows;
}

}  // namespace

extern const OpCases kRandomBinomialCases{"random_binomial", random_binomial_rows};

}  // namespace rill
