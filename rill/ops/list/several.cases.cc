#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSeveralCases{"several", [] {
                                     std::vector<OpCase> rows;
                                     const std::string lists = R"(
        a = TensorListFromTensor([1.0 2.0], int32 [])
        b = TensorListFromTensor([3.0 4.0 5.0], int32 [])
      )";
                                     add_graphs(rows, {"TensorListConcatLists"}, lists + R"(
        case = $OP(a, b, element_dtype=float)
        fetch TensorListStack(case, int32 [], element_dtype=float))");
                                     add_graphs(rows, {"TensorListPushBackBatch"}, lists + R"(
        case = $OP(Pack((a, b)), [7.0 8.0])
        each = Unpack(case, num=2)
        fetch TensorListStack(each, int32 [], element_dtype=float),
              TensorListStack(each:1, int32 [], element_dtype=float))");
                                     return rows;
                                   }};

}  // namespace rill
