#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kNoOpCases{
    "no_op", [] {
      return std::vector<OpCase>{{.op = "NoOp"}, {.op = "ControlTrigger"}};
    }};

}  // namespace rill
