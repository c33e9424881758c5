#include "rill/ops/resource/handle_twin.h"

namespace rill {
namespace {

Shapes element_output(const ShapeCtx& c) { return {c.input(1)}; }

}  // namespace

extern constexpr OpDecl kStackV2{
    .name = "StackV2",
    .doc = "A stack that this step pushes to and pops from; a negative `max_size` sets no limit.",
    .inputs = {"max_size: int32"},
    .outputs = {"handle: resource"},
    .attrs = {"elem_type: type", "stack_name: string = ''"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = no_gradient,
};
static_assert(well_formed(kStackV2));

extern constexpr OpDecl kStackPushV2{
    .name = "StackPushV2",
    .doc = "Pushes `elem`, which is also the output.",
    .inputs = {"handle: resource", "elem: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "swap_memory: bool = false"},
    .traits = kStateful,
    .shape = element_output,
    .grad = no_gradient,
};
static_assert(well_formed(kStackPushV2));

extern constexpr OpDecl kStackPush =
    string_handle_user<kStackPushV2>({.name = "StackPush", .grad = not_differentiable});
static_assert(well_formed(kStackPush));

extern constexpr OpDecl kStackPopV2{
    .name = "StackPopV2",
    .doc = "What was pushed last, taken off the stack.",
    .inputs = {"handle: resource"},
    .outputs = {"elem: elem_type"},
    .attrs = {"elem_type: type"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kStackPopV2));

extern constexpr OpDecl kStackPop =
    string_handle_user<kStackPopV2>({.name = "StackPop", .grad = not_differentiable});
static_assert(well_formed(kStackPop));

extern constexpr OpDecl kStackCloseV2{
    .name = "StackCloseV2",
    .doc = "Gives up what is on the stack; using it afterwards is an error.",
    .inputs = {"handle: resource"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kStackCloseV2));

extern constexpr OpDecl kStackClose =
    string_handle_user<kStackCloseV2>({.name = "StackClose", .grad = not_differentiable});
static_assert(well_formed(kStackClose));

extern constexpr OpDecl kStack{
    .name = "Stack",
    .doc = "StackV2 without a limit, whose handle is a reference to strings.",
    .outputs = {"handle: Ref(string)"},
    .attrs = {"elem_type: type", "stack_name: string = ''"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kStack));

}  // namespace rill
