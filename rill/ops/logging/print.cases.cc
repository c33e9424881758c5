#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPrintCases{
    "print", [] {
      return std::vector<OpCase>{
          {.op = "Assert", .in = {scalar<bool>(true), list({scalar<float>(1)})}},
          {.op = "Assert",
           .in = {scalar<bool>(false), list({strings({}, {"msg"}), sequence<std::int32_t>({4}, 1),
                                             tensor<float>({2, 2}, {1.5, 2, 3, 4})})},
           .name = "fails",
           .error = "assertion failed: \\[msg\\] \\[1 2 3...\\] \\[\\[1.5 2\\]\\[3...\\]...\\]"},
          {.op = "Assert",
           .in = {scalar<bool>(false), list({filled<float>({2, 2, 2}, 0)})},
           .attrs = {{"summarize", 5}},
           .name = "summarized",
           .error = "assertion failed: \\[\\[\\[0 0\\]\\[0 0\\]\\]\\[\\[0...\\]\\]...\\]"},
          {.op = "Print",
           .in = {sequence<float>({2}), list({sequence<std::int32_t>({4})})},
           .attrs = {{"message", "a line of the tests: "}}},
          {.op = "PrintV2", .in = {strings({}, {"a line of the tests"})}},
          {.op = "Timestamp", .compare = Compare::kShapes},
      };
    }};

}  // namespace rill
