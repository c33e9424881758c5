#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kJoinCases{
    "join", [] {
      std::vector<OpCase> rows;
      const std::string list = "l = TensorListFromTensor([[1.0 2.0] [3.0 4.0] [5.0 6.0]], [2])\n";
      const std::string uneven = "l = TensorListSplit([1.0 2.0 3.0 4.0], [-1], int64 [1 0 3])\n";
      add_graphs(rows, {"TensorListFromTensor"}, R"(
        case = $OP([[1 2] [3 4]], int64 [-1])
        fetch TensorListStack(case, [-1], element_dtype=int32), TensorListLength(case))");
      add_graphs(rows, {"TensorListStack"}, list + "case = $OP(l, [2], element_dtype=float)");
      add_graphs(rows, {"TensorListStack"},
                 list + "case = $OP(l, [2], element_dtype=float, num_elements=2)", "elements");
      add_graphs(rows, {"TensorListGather"},
                 list + "case = $OP(l, [2 0 2], [-1], element_dtype=float)");
      add_graphs(rows, {"TensorListScatterIntoExistingList"}, list + R"(
        case = $OP(l, [[7.0 8.0] [9.0 10.0]], [2 0])
        fetch TensorListStack(case, [-1], element_dtype=float))");
      add_graphs(rows, {"TensorListSplit"}, R"(
        case = $OP([1.0 2.0 3.0 4.0], [-1], [1 0 3])
        fetch TensorListGetItem(case, 2, [-1], element_dtype=float), TensorListLength(case))");
      add_graphs(rows, {"TensorListSplit"}, "case = $OP([1.0 2.0 3.0 4.0], [-1], [1 1 3])",
                 "Attempting to slice \\[2, 5\\] from tensor with length 4");
      add_graphs(rows, {"TensorListConcat"}, uneven + "case = $OP(l, element_dtype=float)");
      add_graphs(rows, {"TensorListConcatV2"},
                 uneven + "case = $OP(l, [-1], int64 [], element_dtype=float)");
      // Where nothing was written, leading_dims says how many zeros stand there.
      add_graphs(rows, {"TensorListConcatV2"}, R"(
        empty = TensorListReserve([-1], 2, element_dtype=float)
        l = TensorListSetItem(empty, 0, [1.0 2.0])
        case = $OP(l, [-1], [2 3], element_dtype=float))");
      return rows;
    }};

}  // namespace rill
