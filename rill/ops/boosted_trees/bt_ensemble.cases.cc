#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBtEnsembleCases{
    "bt_ensemble", [] {
      std::vector<OpCase> rows;
      const std::string created = R"(
        h = BoostedTreesEnsembleResourceHandleOp(shared_name="e")
        BoostedTreesCreateEnsemble(h, int64 0, ""))";
      const std::string split = R"(
        BoostedTreesUpdateEnsemble(h, [4 7], ([0], [0]), ([0.5], [0.75]), ([1], [2]), ([[1.0]], [[2.0]]), ([[-1.0]], [[-2.0]]), 2, 0.1, pruning_mode=2))";
      const std::string shown = R"(
        fetch BoostedTreesSerializeEnsemble(h), BoostedTreesGetEnsembleStates(h))";
      add_graphs(rows, {"BoostedTreesEnsembleResourceHandleOp"}, R"(
        case = $OP(shared_name="e")
        fetch IsBoostedTreesEnsembleInitialized(case))");
      add_graphs(rows, {"BoostedTreesCreateEnsemble"}, R"(
        h = BoostedTreesEnsembleResourceHandleOp(shared_name="e")
        case = $OP(h, int64 3, ""))" + shown);
      add_graphs(rows, {"IsBoostedTreesEnsembleInitialized"}, created + "\n        case = $OP(h)");
      add_graphs(rows, {"BoostedTreesSerializeEnsemble", "BoostedTreesGetEnsembleStates"},
                 created + split + "\n        case = $OP(h)");
      add_graphs(rows, {"BoostedTreesDeserializeEnsemble"},
                 created + split + "\n        case = $OP(h, int64 9, \"\")" + shown);
      add_graphs(rows, {"BoostedTreesCenterBias"},
                 created + "\n        case = $OP(h, [[0.5]], [[0.25]], 0.1, 0.2)" + shown);
      add_graphs(rows, {"BoostedTreesUpdateEnsemble"},
                 created + split + R"(
        case = $OP(h, [4 7], ([1], [2]), ([-0.5], [0.75]), ([1], [2]), ([[1.0]], [[2.0]]), ([[-1.0]], [[-2.0]]), 2, 0.1, pruning_mode=2))" +
                     shown);
      add_graphs(rows, {"BoostedTreesUpdateEnsembleV2"},
                 created + split + R"(
        case = $OP(h, [4 7], ([0], [0]), ([1], [2]), ([-0.5], [0.75]), ([1], [2]), ([[1.0]], [[2.0]]), ([[-1.0]], [[-2.0]]), (["EQUALITY_DEFAULT_RIGHT"], ["INEQUALITY_DEFAULT_RIGHT"]), 3, 0.1, 1))" +
                     shown);
      return rows;
    }};

}  // namespace rill
