#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase row(std::vector<std::string> ops, bool turn_a, bool turn_b) {
  return {.op = "_FusedMatMul",
          .in = {random<float>(turn_a ? Shape{5, 7} : Shape{7, 5}, 1, -2, 2),
                 random<float>(turn_b ? Shape{6, 5} : Shape{5, 6}, 2, -2, 2),
                 list({random<float>({6}, 3, -1, 3)})},
          .attrs = {{"transpose_a", turn_a}, {"transpose_b", turn_b}, {"fused_ops", ops}},
          .atol = 1e-5};
}

}  // namespace

extern const OpCases kFusedMatMulCases{
    "fused_matmul", [] {
      std::vector<OpCase> cases;
      using Ops = std::vector<std::string>;
      for (const Ops& ops :
           {Ops{"BiasAdd"}, {"BiasAdd", "Relu"}, {"BiasAdd", "Relu6"}, {"BiasAdd", "Elu"}})
        for (const bool turn_a : {false, true})
          for (const bool turn_b : {false, true}) cases.push_back(row(ops, turn_a, turn_b));
      OpCase bad = row({"Cosh"}, false, false);
      bad.error = "Fusion is not implemented: \\[Cosh\\]";
      cases.push_back(bad);
      bad = row({}, false, false);
      bad.error = "Fused MatMul must have at least one fused op.";
      cases.push_back(bad);
      bad = row({"BiasAdd"}, true, false);
      bad.attrs["transpose_a"] = false;
      bad.error = "Dimensions must be equal|Matrix size-incompatible";
      cases.push_back(bad);
      return cases;
    }};

}  // namespace rill
