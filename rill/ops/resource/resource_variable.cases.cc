#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kResourceVariableCases{
    "resource_variable", [] {
      using F = float;
      return std::vector<OpCase>{
          {.op = "ReadVariableOp",
           .in = {resource(sequence<F>({2, 3}))},
           .attrs = {{"dtype", DType::f32}}},
          {.op = "ReadVariableOp",
           .in = {resource(strings({2}, {"a", "b"}))},
           .attrs = {{"dtype", DType::string}}},
          {.op = "AssignVariableOp", .in = {resource(sequence<F>({2})), tensor<F>({2}, {5, 6})}},
          {.op = "AssignAddVariableOp", .in = {resource(sequence<F>({2})), tensor<F>({2}, {5, 6})}},
          {.op = "AssignAddVariableOp",
           .in = {resource(scalar<std::int64_t>(7)), scalar<std::int64_t>(1)}},
          {.op = "AssignSubVariableOp",
           .in = {resource(sequence<double>({2})), tensor<double>({2}, {5, 6})}},
          {.op = "VarIsInitializedOp", .in = {resource(sequence<F>({2}))}},
          {.op = "VariableShape", .in = {resource(sequence<F>({2, 0, 3}))}},
          {.op = "VariableShape",
           .in = {resource(scalar<F>(1))},
           .attrs = {{"out_type", DType::i64}}},
          {.op = "AssignAddVariableOp",
           .in = {resource(sequence<F>({2})), sequence<F>({3})},
           .name = "wrong_shape",
           .error = "Cannot update variable with shape \\[2\\] using a Tensor with shape \\[3\\], "
                    "shapes must be equal"},
          {.op = "VarHandleOp", .graph = R"(
            case = $OP(dtype=float, shape=[2], shared_name="v")
            AssignVariableOp(case, [1.0 2.0])
            same = VarHandleOp(dtype=float, shape=[2], shared_name="v")
            fetch ReadVariableOp(same, dtype=float))"},
          {.op = "VarHandleOp", .error = "uninitialized", .graph = R"(
            case = $OP(dtype=float, shape=[2], shared_name="v")
            fetch ReadVariableOp(case, dtype=float))"},
          {.op = "DestroyResourceOp", .graph = R"(
            v = VarHandleOp(dtype=float, shape=[2], shared_name="v")
            AssignVariableOp(v, [1.0 2.0])
            case = $OP(v)
            fetch VarIsInitializedOp(v))"},
          {.op = "DestroyResourceOp", .error = "does not exist", .graph = R"(
            v = VarHandleOp(dtype=float, shape=[2], shared_name="v")
            case = $OP(v, ignore_lookup_error=false))"},
      };
    }};

}  // namespace rill
