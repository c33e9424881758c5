#include "rill/grad/flow_gradients.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// A loop variable may change its shape from iteration to iteration, an invariant may not.
Shapes enter_shape(const ShapeCtx& c) {
  if (const HandleInfo* handle = c.handle(0)) c.set_output_handle(0, *handle);
  return {c.flag("is_constant") ? c.input(0) : PartialShape()};
}

Shapes same_value(const ShapeCtx& c) {
  if (const HandleInfo* handle = c.handle(0)) c.set_output_handle(0, *handle);
  return {c.input(0)};
}

Shapes scalar_input(const ShapeCtx& c) { return {c.scalar(0)}; }

}  // namespace

extern constexpr OpDecl kEnterOp{
    .name = "Enter",
    .doc =
        "Takes a value into the loop `frame_name`: into its first iteration, or, constant, into "
        "all.",
    .inputs = {"data: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "frame_name: string", "is_constant: bool = false",
              "parallel_iterations: int = 10"},
    .traits = kEnter,
    .shape = enter_shape,
    .grad = enter_grad,
};
static_assert(well_formed(kEnterOp));

extern constexpr OpDecl kRefEnter{
    .name = "RefEnter",
    .doc = "Enter for the variable itself.",
    .inputs = {"data: Ref(T)"},
    .outputs = {"output: Ref(T)"},
    .attrs = {"T: type", "frame_name: string", "is_constant: bool = false",
              "parallel_iterations: int = 10"},
    .traits = kEnter,
    .shape = same_value,
    .grad = enter_grad,
};
static_assert(well_formed(kRefEnter));

extern constexpr OpDecl kExitOp{
    .name = "Exit",
    .doc = "Takes a value out of its loop.",
    .inputs = {"data: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kExit,
    .shape = same_value,
    .grad = exit_grad,
};
static_assert(well_formed(kExitOp));

extern constexpr OpDecl kRefExit{
    .name = "RefExit",
    .doc = "Exit for the variable itself.",
    .inputs = {"data: Ref(T)"},
    .outputs = {"output: Ref(T)"},
    .attrs = {"T: type"},
    .traits = kExit,
    .shape = same_value,
    .grad = exit_grad,
};
static_assert(well_formed(kRefExit));

extern constexpr OpDecl kNextIterationOp{
    .name = "NextIteration",
    .doc = "Takes a value to the next iteration of its loop.",
    .inputs = {"data: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kNextIteration,
    .shape = same_value,
    .grad = next_iteration_grad,
};
static_assert(well_formed(kNextIterationOp));

extern constexpr OpDecl kRefNextIteration{
    .name = "RefNextIteration",
    .doc = "NextIteration for the variable itself.",
    .inputs = {"data: Ref(T)"},
    .outputs = {"output: Ref(T)"},
    .attrs = {"T: type"},
    .traits = kNextIteration,
    .shape = same_value,
    .grad = next_iteration_grad,
};
static_assert(well_formed(kRefNextIteration));

extern constexpr OpDecl kLoopCond{
    .name = "LoopCond",
    .doc = "Its input, marked as what decides whether a loop goes on.",
    .inputs = {"input: bool"},
    .outputs = {"output: bool"},
    .traits = kPure | kIdentity | kForwards,
    .shape = scalar_input,
    .grad = loop_cond_grad,
};
static_assert(well_formed(kLoopCond));

}  // namespace rill
