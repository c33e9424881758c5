#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kAssignCases{
    "assign", [] {
      using F = float;
      return std::vector<OpCase>{
          {.op = "Assign", .in = {ref(sequence<F>({2})), tensor<F>({2}, {5, 6})}},
          {.op = "Assign",
           .in = {ref(sequence<F>({2})), tensor<F>({3}, {5, 6, 7})},
           .attrs = {{"validate_shape", false}},
           .name = "other_shape"},
          {.op = "Assign", .in = {ref(strings({1}, {"a"})), strings({1}, {"b"})}},
          {.op = "Assign",
           .in = {ref(sequence<F>({2})), sequence<F>({3})},
           .name = "wrong_shape",
           .error =
               "Assign requires shapes of both tensors to match. lhs shape= \\[2\\] rhs shape= "
               "\\[3\\]"},
          {.op = "AssignAdd", .in = {ref(sequence<F>({2, 2})), filled<F>({2, 2}, 0.5)}},
          {.op = "AssignAdd",
           .in = {ref(sequence<std::int64_t>({3})), sequence<std::int64_t>({3})}},
          {.op = "AssignAdd", .in = {ref(sequence<half>({3})), filled<half>({3}, 0.1)}},
          {.op = "AssignAdd",
           .in = {ref(sequence<std::complex<double>>({3})), filled<std::complex<double>>({3}, 2)}},
          {.op = "AssignSub", .in = {ref(sequence<F>({2, 2})), filled<F>({2, 2}, 0.5)}},
          {.op = "AssignSub",
           .in = {ref(filled<std::uint8_t>({2}, 3)), filled<std::uint8_t>({2}, 5)},
           .name = "wraps"},
          {.op = "AssignAdd",
           .in = {ref(sequence<F>({2})), sequence<F>({3})},
           .name = "add_wrong_shape",
           .error = "Parameters and update must be the same size"},
          {.op = "CountUpTo", .in = {ref(scalar<std::int32_t>(3))}, .attrs = {{"limit", 5}}},
          {.op = "CountUpTo",
           .in = {ref(scalar<std::int64_t>(5))},
           .attrs = {{"limit", 5}},
           .name = "at_limit",
           .error = "Reached limit of 5"},
          {.op = "ResourceCountUpTo",
           .in = {resource(scalar<std::int32_t>(3))},
           .attrs = {{"limit", 5}, {"T", DType::i32}}},
          {.op = "IsVariableInitialized", .in = {ref(scalar<F>(3))}},
      };
    }};

}  // namespace rill
