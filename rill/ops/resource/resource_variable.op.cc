#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes var_handle_shape(const ShapeCtx& c) {
  c.set_output_handle(0, {c.attr<DType>("dtype"), c.attr<PartialShape>("shape")});
  return {PartialShape::scalar()};
}

// What is known of the variable behind input 0, whose type must be the node's dtype.
PartialShape variable_shape_behind(const ShapeCtx& c) {
  const HandleInfo* handle = c.handle(0);
  if (handle == nullptr || handle->dtype == DType::invalid) return {};
  const DType dtype = c.attr<DType>("dtype");
  require(handle->dtype == dtype, "Trying to read variable with wrong dtype. Expected ",
          handle->dtype, " got ", dtype);
  return handle->shape;
}

Shapes read_shape(const ShapeCtx& c) { return {variable_shape_behind(c)}; }

Shapes assign_shape(const ShapeCtx& c) {
  (void)variable_shape_behind(c).merged(c.input(1));
  return {};
}

Shapes shape_of_variable(const ShapeCtx& c) {
  const HandleInfo* handle = c.handle(0);
  const bool known = handle != nullptr && handle->shape.has_rank();
  return {PartialShape{known ? handle->shape.rank() : kUnknownDim}};
}

void read_grad(GradCtx& g) { g.set(0, g.arriving(0)); }

}  // namespace

extern constexpr OpDecl kVarHandleOp{
    .name = "VarHandleOp",
    .doc = "A handle of a variable, which is named by container and shared_name.",
    .outputs = {"resource: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''", "dtype: type", "shape: shape"},
    .traits = kStateful | kVariable | kRepeatable | kNoLastingEffect,
    .shape = var_handle_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kVarHandleOp));

extern constexpr OpDecl kReadVariableOp{
    .name = "ReadVariableOp",
    .doc = "The value of a variable, which later writes do not change.",
    .inputs = {"resource: resource"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful | kReadsVariable | kRepeatable | kNoLastingEffect,
    .shape = read_shape,
    .cost = no_flops,
    .grad = read_grad,
};
static_assert(well_formed(kReadVariableOp));

extern constexpr OpDecl kAssignVariableOp{
    .name = "AssignVariableOp",
    .doc = "Gives a variable a new value.",
    .inputs = {"resource: resource", "value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful | kAssigns,
    .shape = assign_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAssignVariableOp));

extern constexpr OpDecl kAssignAddVariableOp{
    .name = "AssignAddVariableOp",
    .doc = "Adds a value to a variable.",
    .inputs = {"resource: resource", "value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful,
    .shape = assign_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAssignAddVariableOp));

extern constexpr OpDecl kAssignSubVariableOp{
    .name = "AssignSubVariableOp",
    .doc = "Subtracts a value from a variable.",
    .inputs = {"resource: resource", "value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful,
    .shape = assign_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAssignSubVariableOp));

extern constexpr OpDecl kVarIsInitializedOp{
    .name = "VarIsInitializedOp",
    .doc = "Whether a variable has been given a value.",
    .inputs = {"resource: resource"},
    .outputs = {"is_initialized: bool"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kVarIsInitializedOp));

extern constexpr OpDecl kDestroyResourceOp{
    .name = "DestroyResourceOp",
    .doc = "Forgets a resource; using it afterwards is an error.",
    .inputs = {"resource: resource"},
    .attrs = {"ignore_lookup_error: bool = true"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kDestroyResourceOp));

extern constexpr OpDecl kVariableShape{
    .name = "VariableShape",
    .doc = "The shape of a variable's value.",
    .inputs = {"input: resource"},
    .outputs = {"output: out_type"},
    .attrs = {"out_type: {int32, int64} = DT_INT32"},
    .traits = kStateful | kRepeatable,
    .shape = shape_of_variable,
    .grad = not_differentiable,
};
static_assert(well_formed(kVariableShape));

}  // namespace rill
