#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Also passes on what is known behind a resource handle.
Shapes identity_shape(const ShapeCtx& c) {
  Shapes shapes;
  for (int i = 0; i < c.input_count(); ++i) {
    shapes.push_back(c.input(i));
    if (const HandleInfo* handle = c.handle(i)) c.set_output_handle(i, *handle);
  }
  return shapes;
}

// Gradients pass as they are, rows as rows.
void identity_grad(GradCtx& g) {
  for (int i = 0; i < g.input_count(); ++i) g.set(i, g.arriving(i));
}

void prevent_gradient_grad(GradCtx& g) {
  raise(Code::kNotFound, "Gradient explicitly disabled. Reason: ", g.attr<std::string>("message"));
}

}  // namespace

extern constexpr OpDecl kIdentityOp{
    .name = "Identity",
    .doc = "Its input, unchanged.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kIdentity | kForwards,
    .shape = identity_shape,
    .cost = no_flops,
    .grad = identity_grad,
};
static_assert(well_formed(kIdentityOp));

extern constexpr OpDecl kIdentityN{
    .name = "IdentityN",
    .doc = "A list of tensors, unchanged.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: list(type) >= 1"},
    .traits = kPure,
    .shape = identity_shape,
    .grad = identity_grad,
};
static_assert(well_formed(kIdentityN));

extern constexpr OpDecl kStopGradient{
    .name = "StopGradient",
    .doc = "Its input, seen as a constant by gradients.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kIdentity | kForwards,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kStopGradient));

extern constexpr OpDecl kPreventGradient{
    .name = "PreventGradient",
    .doc = "Its input; asking for a gradient through it is an error that says `message`.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "message: string = ''"},
    .traits = kPure | kIdentity | kForwards,
    .shape = same_as_input,
    .grad = prevent_gradient_grad,
};
static_assert(well_formed(kPreventGradient));

extern constexpr OpDecl kSnapshot{
    .name = "Snapshot",
    .doc = "Its input as it was when this ran.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kIdentity | kForwards,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kSnapshot));

extern constexpr OpDecl kGuaranteeConst{
    .name = "GuaranteeConst",
    .doc = "Its input, which the program promises to be the same in every run.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kStateful | kForwards,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kGuaranteeConst));

extern constexpr OpDecl kDebugGradientIdentity{
    .name = "DebugGradientIdentity",
    .doc = "Its input; a gradient debugger finds the gradient that arrives here.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kForwards | kUninitializedOk,
    .shape = identity_shape,
    .grad = identity_grad,
};
static_assert(well_formed(kDebugGradientIdentity));

extern constexpr OpDecl kRefIdentity{
    .name = "RefIdentity",
    .doc = "Its input, which is a reference to a variable.",
    .inputs = {"input: Ref(T)"},
    .outputs = {"output: Ref(T)"},
    .attrs = {"T: type"},
    .traits = kUninitializedOk,
    .shape = same_as_input,
    .grad = identity_grad,
};
static_assert(well_formed(kRefIdentity));

extern constexpr OpDecl kDebugGradientRefIdentity{
    .name = "DebugGradientRefIdentity",
    .doc = "RefIdentity; a gradient debugger finds the gradient that arrives here.",
    .inputs = {"input: Ref(T)"},
    .outputs = {"output: Ref(T)"},
    .attrs = {"T: type"},
    .traits = kUninitializedOk,
    .shape = same_as_input,
    .grad = identity_grad,
};
static_assert(well_formed(kDebugGradientRefIdentity));

}  // namespace rill
