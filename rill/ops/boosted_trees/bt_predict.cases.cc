#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBtPredictCases{
    "bt_predict", [] {
      // A bias, and a tree of which a part was pruned.
      const std::string trees = R"(
        h = BoostedTreesEnsembleResourceHandleOp(shared_name="e")
        BoostedTreesCreateEnsemble(h, int64 0, "")
        BoostedTreesCenterBias(h, [[0.5]], [[0.25]], 0.1, 0.2)
        BoostedTreesUpdateEnsemble(h, [0 1], ([0], [0]), ([0.5], [0.75]), ([1], [2]), ([[1.0]], [[2.0]]), ([[-1.0]], [[-2.0]]), 2, 0.1, pruning_mode=2)
        BoostedTreesUpdateEnsemble(h, [0 1], ([1], [2]), ([-0.5], [0.75]), ([1], [2]), ([[1.0]], [[2.0]]), ([[-1.0]], [[-2.0]]), 2, 0.1, pruning_mode=2))";
      const std::string examples = "([0 1 2 3], [3 2 1 3])";
      std::vector<OpCase> rows;
      add_graphs(rows, {"BoostedTreesPredict", "BoostedTreesExampleDebugOutputs"},
                 trees + "\n        case = $OP(h, " + examples + ", logits_dimension=1)");
      add_graphs(rows, {"BoostedTreesTrainingPredict"},
                 trees + "\n        case = $OP(h, [0 0 0 0], [-1 1 2 3], " + examples +
                     ", logits_dimension=1)");
      return rows;
    }};

}  // namespace rill
