#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kResourceGatherCases{
    "resource_gather", [] {
      using F = float;
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "ResourceGather",
           .in = {resource(sequence<F>({3, 2})), tensor<I>({2, 2}, {2, 0, 0, 1})},
           .attrs = {{"dtype", DType::f32}}},
          {.op = "ResourceGather",
           .in = {resource(sequence<F>({2, 3})), tensor<I>({2, 2}, {2, 0, 0, 1})},
           .attrs = {{"dtype", DType::f32}, {"batch_dims", 1}}},
          {.op = "ResourceGatherNd",
           .in = {resource(sequence<F>({3, 2})), tensor<I>({2, 2}, {2, 0, 0, 1})},
           .attrs = {{"dtype", DType::f32}}},
          {.op = "ResourceGather",
           .in = {resource(sequence<F>({2})), tensor<I>({2}, {0, 2})},
           .attrs = {{"dtype", DType::f32}},
           .name = "outside",
           .error = "indices\\[1\\] = 2 is not in \\[0, 2\\)"},
      };
    }};

}  // namespace rill
