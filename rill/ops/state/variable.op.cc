#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes declared_shape(const ShapeCtx& c) { return {c.attr<PartialShape>("shape")}; }

// The older op says [] where it knows nothing.
Shapes declared_shape_unless_scalar(const ShapeCtx& c) {
  const auto& shape = c.attr<PartialShape>("shape");
  return {shape.rank() > 0 ? shape : PartialShape()};
}

}  // namespace

extern constexpr OpDecl kVariableOp{
    .name = "Variable",
    .doc = "A tensor that lives from step to step; use VariableV2.",
    .outputs = {"ref: Ref(dtype)"},
    .attrs = {"shape: shape", "dtype: type", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kVariable | kNoLastingEffect,
    .shape = declared_shape_unless_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kVariableOp));

extern constexpr OpDecl kVariableV2{
    .name = "VariableV2",
    .doc = "A tensor that lives from step to step, as a reference that other ops may write to.",
    .outputs = {"ref: Ref(dtype)"},
    .attrs = {"shape: shape", "dtype: type", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kVariable | kNoLastingEffect,
    .shape = declared_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kVariableV2));

extern constexpr OpDecl kTemporaryVariable{
    .name = "TemporaryVariable",
    .doc = "A variable that lives within one step, until DestroyTemporaryVariable.",
    .outputs = {"ref: Ref(dtype)"},
    .attrs = {"shape: shape", "dtype: type", "var_name: string = ''"},
    .traits = kStateful,
    .shape = declared_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kTemporaryVariable));

extern constexpr OpDecl kDestroyTemporaryVariable{
    .name = "DestroyTemporaryVariable",
    .doc = "Ends a temporary variable and returns its last value.",
    .inputs = {"ref: Ref(T)"},
    .outputs = {"value: T"},
    .attrs = {"T: type", "var_name: string"},
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kDestroyTemporaryVariable));

extern constexpr OpDecl kIsVariableInitialized{
    .name = "IsVariableInitialized",
    .doc = "Whether a variable has been given a value.",
    .inputs = {"ref: Ref(dtype)"},
    .outputs = {"is_initialized: bool"},
    .attrs = {"dtype: type"},
    .traits = kUninitializedOk,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIsVariableInitialized));

}  // namespace rill
