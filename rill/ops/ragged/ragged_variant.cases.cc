#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRaggedVariantCases{
    "ragged_variant", [] {
      std::vector<OpCase> rows;
      const std::string tensor = "(int64 [0 2 3], int64 [0 1 1 5]), [1.5 2.0 3.0 4.0 5.0]";
      add_graphs(rows, {"RaggedTensorToVariant"}, "case = $OP(" + tensor + R"(, batched_input=false)
        back = RaggedTensorFromVariant(case, input_ragged_rank=2, output_ragged_rank=2,
                                       Tvalues=float, Tsplits=int64)
        fetch back, back:1, back:2)");
      // A variant for each row.
      add_graphs(rows, {"RaggedTensorToVariant"}, "case = $OP(" + tensor + R"(, batched_input=true)
        back = RaggedTensorFromVariant(case, input_ragged_rank=-1, output_ragged_rank=2,
                                       Tvalues=float, Tsplits=int64)
        fetch back, back:1, back:2, Shape(case))");
      add_graphs(rows, {"RaggedTensorToVariant"},
                 "case = $OP((int64 [0 2 9]), [1.5 2.0 3.0], batched_input=true)", "splits");
      const std::string made = "v = RaggedTensorToVariant(" + tensor + ", batched_input=true)\n";
      add_graphs(rows, {"RaggedTensorFromVariant"}, made + R"(
        case = $OP(Pack((v, v)), input_ragged_rank=1, output_ragged_rank=3, Tvalues=float,
                   Tsplits=int64))");
      add_graphs(rows, {"RaggedTensorFromVariant"}, made + R"(
        case = $OP(v, input_ragged_rank=1, output_ragged_rank=2, Tvalues=double, Tsplits=int64))",
                 "Expected values Tensor dtype");
      return rows;
    }};

}  // namespace rill
