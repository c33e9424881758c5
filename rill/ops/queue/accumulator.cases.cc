#include "tests/optest/op_case.h"

namespace rill {

// Accumulators by reference and behind resources have the same rows.
extern const OpCases kAccumulatorCases{
    "accumulator", [] {
      std::vector<OpCase> rows;
      const auto add = [&](const char* plain, const char* behind_resource, const std::string& graph,
                           const char* error = "") {
        const auto with = [&](std::string_view prefix) {
          std::string text = graph;
          for (std::size_t at = 0; (at = text.find("$R", at)) != std::string::npos;)
            text.replace(at, 2, prefix);
          return text;
        };
        add_graphs(rows, {plain}, with(""), error);
        add_graphs(rows, {behind_resource}, with("Resource"), error);
      };
      const std::string filled = R"(
        a = $RConditionalAccumulator(dtype=float, shape=[2])
        $RAccumulatorApplyGradient(a, 0, [1.0 2.0])
        $RAccumulatorApplyGradient(a, 0, [3.0 8.0])
      )";
      add("ConditionalAccumulator", "ResourceConditionalAccumulator", R"(
        case = $OP(dtype=double, shape=?, reduction_type="SUM")
        $RAccumulatorApplyGradient(case, 0, double [1 2])
        $RAccumulatorApplyGradient(case, 0, double [3 8])
        fetch $RAccumulatorTakeGradient(case, 2, dtype=double))");
      add("AccumulatorApplyGradient", "ResourceAccumulatorApplyGradient", filled + R"(
        case = $OP(a, 5, [5.0 5.0])
        fetch $RAccumulatorNumAccumulated(a), $RAccumulatorTakeGradient(a, 3, dtype=float))");
      // What comes from an older step is dropped.
      add("AccumulatorApplyGradient", "ResourceAccumulatorApplyGradient", filled + R"(
        $RAccumulatorSetGlobalStep(a, 3)
        case = $OP(a, 2, [5.0 5.0])
        fetch $RAccumulatorNumAccumulated(a))");
      add("AccumulatorApplyGradient", "ResourceAccumulatorApplyGradient",
          filled + "case = $OP(a, 0, [5.0 5.0 5.0])", "[Ss]hape");
      add("AccumulatorNumAccumulated", "ResourceAccumulatorNumAccumulated",
          filled + "case = $OP(a)");
      add("AccumulatorSetGlobalStep", "ResourceAccumulatorSetGlobalStep", filled + R"(
        case = $OP(a, 7)
        $RAccumulatorApplyGradient(a, 6, [5.0 5.0])
        fetch $RAccumulatorNumAccumulated(a))");
      add("AccumulatorTakeGradient", "ResourceAccumulatorTakeGradient", filled + R"(
        case = $OP(a, 2, dtype=float)
        fetch case, $RAccumulatorNumAccumulated(a))");
      add("AccumulatorTakeGradient", "ResourceAccumulatorTakeGradient",
          filled + "case = $OP(a, 0, dtype=float)", "Argument num_required must be positive");
      return rows;
    }};

}  // namespace rill
