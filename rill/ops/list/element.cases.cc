#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kElementCases{
    "element", [] {
      std::vector<OpCase> rows;
      const std::string list = "l = TensorListFromTensor([[1.0 2.0] [3.0 4.0] [5.0 6.0]], [2])\n";
      const std::string all = "fetch TensorListStack(case, [-1], element_dtype=float)";
      add_graphs(rows, {"EmptyTensorList"}, R"(
        case = $OP([2], 5, element_dtype=float)
        one = TensorListPushBack(case, [1.0 2.0])
        fetch TensorListLength(case), TensorListStack(one, [-1], element_dtype=float))");
      add_graphs(rows, {"TensorListReserve"}, R"(
        case = $OP([2], 3, element_dtype=float)
        fetch TensorListLength(case), TensorListStack(case, [2], element_dtype=float))");
      add_graphs(rows, {"TensorListPushBack"}, list + "case = $OP(l, [7.0 8.0])\n" + all);
      add_graphs(rows, {"TensorListPushBack"}, list + "case = $OP(l, [7.0 8.0 9.0])\n" + all,
                 "[Ss]hape");
      add_graphs(rows, {"TensorListPopBack"}, list + R"(
        case = $OP(l, [2], element_dtype=float)
        fetch case:1, TensorListLength(case), TensorListLength(l))");
      add_graphs(rows, {"TensorListPopBack"}, R"(
        l = EmptyTensorList([2], -1, element_dtype=float)
        case = $OP(l, [2], element_dtype=float)
        fetch case:1)",
                 "Trying to pop from an empty list");
      add_graphs(rows, {"TensorListGetItem"}, list + "case = $OP(l, 1, [2], element_dtype=float)");
      add_graphs(rows, {"TensorListGetItem"}, list + "case = $OP(l, 3, [2], element_dtype=float)",
                 "Trying to access element 3 in a list with 3 elements");
      add_graphs(rows, {"TensorListSetItem"}, list + "case = $OP(l, 1, [7.0 8.0])\n" + all);
      add_graphs(rows, {"TensorListLength"}, list + "case = $OP(l)");
      add_graphs(rows, {"TensorListElementShape"}, list + R"(
        case = $OP(l, shape_type=int64)
        fetch case, TensorListElementShape(l, shape_type=int32))");
      add_graphs(rows, {"TensorListResize"}, list + "case = $OP(l, 5)\n" + all);
      add_graphs(rows, {"TensorListResize"}, list + "case = $OP(l, 1)\n" + all);
      return rows;
    }};

}  // namespace rill
