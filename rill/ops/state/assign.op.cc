#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes assign_shape(const ShapeCtx& c) {
  if (!c.flag("validate_shape")) return {c.input(1)};
  return merge_inputs(c);
}

}  // namespace

extern constexpr OpDecl kAssign{
    .name = "Assign",
    .doc = "Gives a variable a new value.",
    .inputs = {"ref: Ref(T)", "value: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: type", "validate_shape: bool = true", "use_locking: bool = true"},
    .traits = kUninitializedOk | kAssigns,
    .shape = assign_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kAssign));

extern constexpr OpDecl kAssignAdd{
    .name = "AssignAdd",
    .doc = "Adds a value to a variable.",
    .inputs = {"ref: Ref(T)", "value: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = merge_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kAssignAdd));

extern constexpr OpDecl kAssignSub{
    .name = "AssignSub",
    .doc = "Subtracts a value from a variable.",
    .inputs = {"ref: Ref(T)", "value: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = merge_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kAssignSub));

extern constexpr OpDecl kCountUpTo{
    .name = "CountUpTo",
    .doc = "Adds one to a variable and returns what it was; OutOfRange once it is `limit`.",
    .inputs = {"ref: Ref(T)"},
    .outputs = {"output: T"},
    .attrs = {"limit: int", "T: {int32, int64}"},
    .shape = [](const ShapeCtx& c) -> Shapes { return {c.scalar(0)}; },
    .grad = no_gradient,
};
static_assert(well_formed(kCountUpTo));

extern constexpr OpDecl kResourceCountUpTo{
    .name = "ResourceCountUpTo",
    .doc = "Adds one to a variable and returns what it was; OutOfRange once it is `limit`.",
    .inputs = {"resource: resource"},
    .outputs = {"output: T"},
    .attrs = {"limit: int", "T: {int32, int64}"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceCountUpTo));

}  // namespace rill
