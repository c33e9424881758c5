#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kShapeCases{
    "shape", [] {
      return std::vector<OpCase>{
          {.op = "Shape", .in = {sequence<float>({2, 3})}},
          {.op = "Shape", .in = {scalar<float>(1)}, .name = "of_scalar"},
          {.op = "Shape", .in = {strings({0, 4}, {})}, .attrs = {{"out_type", DType::i64}}},
          {.op = "ShapeN", .in = {list({sequence<float>({2}), sequence<float>({3, 1})})}},
          {.op = "Size", .in = {sequence<float>({2, 3})}},
          {.op = "Size", .in = {sequence<double>({0, 3})}, .attrs = {{"out_type", DType::i64}}},
          {.op = "Rank", .in = {sequence<float>({2, 3, 1})}},
          {.op = "Rank", .in = {scalar<bool>(true)}},
      };
    }};

}  // namespace rill
