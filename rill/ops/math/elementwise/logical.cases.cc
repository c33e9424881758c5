#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kLogicalCases{
    "logical", [] {
      const Tensor x = tensor<bool>({2, 2}, {true, true, false, false});
      const Tensor y = tensor<bool>({2}, {true, false});
      return std::vector<OpCase>{
          {.op = "LogicalAnd", .in = {x, y}},
          {.op = "LogicalOr", .in = {x, y}},
          {.op = "LogicalAnd", .in = {x, scalar<bool>(true)}},
          {.op = "LogicalOr", .in = {scalar<bool>(false), x}},
          {.op = "LogicalNot", .in = {x}},
          {.op = "LogicalNot", .in = {random<bool>({100}, 1)}},
          {.op = "LogicalNot", .in = {tensor<bool>({0}, {})}},
      };
    }};

}  // namespace rill
