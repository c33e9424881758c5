#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBtForestCases{
    "bt_forest", [] {
      std::vector<OpCase> rows;
      // The message of a split of feature 1 at 0.5 between two leaves of two values.
      const std::string made = R"(
        h = TensorForestTreeResourceHandleOp(shared_name="t")
        m = DecodeBase64("Cg0iCwgBFQAAAD8YASACCg4KDAoKCggAAIA_AAAAQAoOCgwKCgoIAABAQAAAgEA")
        TensorForestCreateTreeVariable(h, m))";
      const std::string shown = R"(
        fetch TensorForestTreeSize(h), TensorForestTreeSerialize(h))";
      add_graphs(rows, {"TensorForestTreeResourceHandleOp"}, R"(
        case = $OP(shared_name="t")
        fetch TensorForestTreeIsInitializedOp(case))");
      add_graphs(
          rows,
          {"TensorForestTreeIsInitializedOp", "TensorForestTreeSerialize", "TensorForestTreeSize"},
          made + "\n        case = $OP(h)");
      add_graphs(rows, {"TensorForestCreateTreeVariable"}, R"(
        h = TensorForestTreeResourceHandleOp(shared_name="t")
        case = $OP(h, ""))" + shown);
      add_graphs(rows, {"TensorForestTreeDeserialize"},
                 made + "\n        case = $OP(h, \"\")" + shown);
      add_graphs(rows, {"TensorForestTreePredict"},
                 made + "\n        case = $OP(h, [[0.0 0.5] [0.9 0.75]], logits_dimension=2)");
      return rows;
    }};

}  // namespace rill
