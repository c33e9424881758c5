#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSparseAccumulatorCases{
    "sparse_accumulator", [] {
      std::vector<OpCase> rows;
      const std::string filled = R"(
        a = SparseConditionalAccumulator(dtype=float, shape=[4 2])
        SparseAccumulatorApplyGradient(a, 0, [1 3], [[1.0 2.0] [3.0 4.0]], [4 2],
                                       has_known_shape=true)
      )";
      add_graphs(rows, {"SparseConditionalAccumulator"}, R"(
        case = $OP(dtype=double, shape=?, reduction_type="SUM")
        SparseAccumulatorApplyGradient(case, 0, [2], double [[1 2]], int64 [],
                                       has_known_shape=false)
        SparseAccumulatorApplyGradient(case, 0, [0 2], double [[5 6] [7 8]], int64 [],
                                       has_known_shape=false)
        sum = SparseAccumulatorTakeGradient(case, 2, dtype=double)
        fetch sum, sum:1, AccumulatorNumAccumulated(case))");
      add_graphs(rows, {"SparseAccumulatorApplyGradient"}, filled + R"(
        case = $OP(a, 0, [0 1], [[5.0 6.0] [7.0 8.0]], [4 2], has_known_shape=true)
        mean = SparseAccumulatorTakeGradient(a, 2, dtype=float)
        fetch mean, mean:1)");
      add_graphs(rows, {"SparseAccumulatorApplyGradient"}, filled + R"(
        case = $OP(a, 0, [0], [[5.0 6.0 7.0]], [4 3], has_known_shape=true))",
                 "[Ss]hape");
      add_graphs(rows, {"SparseAccumulatorTakeGradient"}, filled + R"(
        case = $OP(a, 1, dtype=float)
        fetch case, case:1, case:2, AccumulatorNumAccumulated(a))");
      return rows;
    }};

}  // namespace rill
