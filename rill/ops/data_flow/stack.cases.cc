#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kStackCases{
    "stack", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"StackV2"}, R"(
        case = $OP(2, elem_type=float)
        StackPushV2(case, [1.0 2.0])
        fetch StackPushV2(case, [3.0]), StackPopV2(case, elem_type=float),
              StackPopV2(case, elem_type=float))");
      add_graphs(rows, {"StackV2"}, R"(
        case = $OP(1, elem_type=float)
        StackPushV2(case, [1.0 2.0])
        fetch StackPushV2(case, [3.0]))",
                 "overflow");
      add_graphs(rows, {"Stack"}, R"(
        case = $OP(elem_type=float)
        StackPush(case, [1.0 2.0])
        fetch StackPush(case, [3.0]), StackPop(case, elem_type=float),
              StackPop(case, elem_type=float))");
      for (const std::string stack :
           {"s = Stack(elem_type=int32)\n", "s = StackV2(-1, elem_type=int32)\n"}) {
        const bool old = stack.find("V2") == std::string::npos;
        add_graphs(rows, {old ? "StackPush" : "StackPushV2"}, stack + R"(
          case = $OP(s, [1 2], swap_memory=true)
          fetch case, StackPop$V(s, elem_type=int32))");
        add_graphs(rows, {old ? "StackPush" : "StackPushV2"}, stack + "case = $OP(s, [1.5])",
                   "Must have type 3 but got 1|type");
        add_graphs(rows, {old ? "StackPop" : "StackPopV2"}, stack + R"(
          StackPush$V(s, 1)
          StackPush$V(s, [2 3])
          case = $OP(s, elem_type=int32)
          fetch case, StackPop$V(s, elem_type=int32))");
        add_graphs(rows, {old ? "StackPop" : "StackPopV2"},
                   stack + "case = $OP(s, elem_type=int32)",
                   "Stack\\[.*\\] is empty when calling Pop\\(\\)");
        add_graphs(rows, {old ? "StackClose" : "StackCloseV2"}, stack + R"(
          StackPush$V(s, 1)
          case = $OP(s))");
      }
      return rows;
    }};

}  // namespace rill
