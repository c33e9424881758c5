#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPlaceholderCases{
    "placeholder", [] {
      return std::vector<OpCase>{
          {.op = "Placeholder",
           .attrs = {{"dtype", DType::f32}, {"shape", PartialShape{2, -1}}},
           .error =
               "You must feed a value for placeholder tensor 'case' with dtype float and shape "
               "\\[2,\\?\\]"},
          {.op = "Placeholder",
           .attrs = {{"dtype", DType::i64}},
           .name = "any_shape",
           .error = "You must feed a value for placeholder tensor 'case' with dtype int64"},
          {.op = "PlaceholderV2",
           .attrs = {{"dtype", DType::f32}, {"shape", PartialShape{2}}},
           .error = "You must feed a value for placeholder tensor 'case' with dtype float"},
          {.op = "PlaceholderWithDefault",
           .in = {sequence<float>({2})},
           .attrs = {{"shape", PartialShape{-1}}}},
          {.op = "PlaceholderWithDefault",
           .in = {strings({1}, {"x"})},
           .attrs = {{"shape", PartialShape()}}},
      };
    }};

}  // namespace rill
