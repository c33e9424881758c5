#include "tests/optest/op_case.h"

namespace rill {

// A handle is good in later runs only, and its name is the session's: tests/cpp/queue_test.cc.
extern const OpCases kSessionTensorCases{
    "session_tensor", [] {
      return std::vector<OpCase>{
          {.op = "GetSessionHandle",
           .in = {tensor<float>({2}, {1, 2})},
           .compare = Compare::kShapes},
          {.op = "GetSessionHandleV2", .in = {tensor<float>({2}, {1, 2})}},
          {.op = "GetSessionTensor",
           .in = {strings({}, {"no such tensor"})},
           .attrs = {{"dtype", DType::f32}},
           .error = "The tensor with handle 'no such tensor' is not in the session store"},
          {.op = "DeleteSessionTensor",
           .in = {strings({}, {"no such tensor"})},
           .error = "no such tensor"},
      };
    }};

}  // namespace rill
