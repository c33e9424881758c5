#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRowsCases{"rows", [] {
                                  std::vector<OpCase> rows;
                                  add_graphs(rows, {"TensorListScatter"}, R"(
        case = $OP([[1.0 2.0] [3.0 4.0]], [2 0], [2])
        fetch TensorListLength(case), TensorListStack(case, [2], element_dtype=float))");
                                  add_graphs(rows, {"TensorListScatterV2"}, R"(
        case = $OP([[1.0 2.0] [3.0 4.0]], [2 0], [2], 5)
        fetch TensorListLength(case), TensorListStack(case, [2], element_dtype=float))");
                                  add_graphs(rows, {"TensorListScatterV2"},
                                             "case = $OP([[1.0 2.0] [3.0 4.0]], [2 -1], [2], 5)",
                                             "must all be non-negative");
                                  return rows;
                                }};

}  // namespace rill
