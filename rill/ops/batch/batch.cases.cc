#include "tests/optest/op_case.h"

namespace rill {

// One call alone; several at once: tests/cpp/batch_test.cc.
extern const OpCases kBatchCases{"batch", [] {
                                   std::vector<OpCase> rows;
                                   const std::string batch =
                                       "Batch(([[1.0 2.0] [3.0 4.0]]), num_batch_threads=1, "
                                       "max_batch_size=2, batch_timeout_micros=100000, "
                                       "grad_timeout_micros=100000)\n";
                                   add_graphs(rows, {"Batch"},
                                              "case = " + batch + "fetch case, Shape(case:1)");
                                   add_graphs(rows, {"Unbatch"}, "b = " + batch + R"(
        case = $OP(Neg(b), b:1, b:2, timeout_micros=100000))");
                                   add_graphs(rows, {"UnbatchGrad"}, "b = " + batch + R"(
        case = $OP(b, b:1, [[5.0 6.0] [7.0 8.0]], b:2))");
                                   add_graphs(rows, {"BatchFunction"}, R"(
        function f(x: float, by: float) -> float = Mul(x, by)
        case = $OP(([[1.0 2.0] [3.0 4.0]]), (10.0), f=f, Tout=[float], num_batch_threads=1,
                   max_batch_size=2, batch_timeout_micros=100000))");
                                   // Filled up to a size that is allowed, and cut again.
                                   add_graphs(rows, {"BatchFunction"}, R"(
        function f(x: float) -> float = Mul(x, 10.0)
        case = $OP(([1.0 2.0 3.0]), (), f=f, Tout=[float], num_batch_threads=1, max_batch_size=8,
                   batch_timeout_micros=1000, allowed_batch_sizes=[4 8]))");
                                   add_graphs(rows, {"BatchFunction"}, R"(
        function f(x: float) -> float = Mul(x, 10.0)
        case = $OP(([1.0 2.0 3.0]), (), f=f, Tout=[float], num_batch_threads=1, max_batch_size=2,
                   batch_timeout_micros=1000))",
                                              "batch");
                                   return rows;
                                 }};

}  // namespace rill
