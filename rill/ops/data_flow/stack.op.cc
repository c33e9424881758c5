#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes handle_output(const ShapeCtx&) { return {PartialShape{2}}; }
Shapes element_output(const ShapeCtx& c) { return {c.input(1)}; }

}  // namespace

extern constexpr OpDecl kStackV2{
    .name = "StackV2",
    .doc = "A stack that this step pushes to and pops from; a negative `max_size` sets no limit.",
    .inputs = {"max_size: int32"},
    .outputs = {"handle: resource"},
    .attrs = {"elem_type: type", "stack_name: string = ''"},
    .traits = kStateful,
    .shape = handle_output,
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
};
static_assert(well_formed(kStackPushV2));

extern constexpr OpDecl kStackPopV2{
    .name = "StackPopV2",
    .doc = "What was pushed last, taken off the stack.",
    .inputs = {"handle: resource"},
    .outputs = {"elem: elem_type"},
    .attrs = {"elem_type: type"},
    .traits = kStateful,
    .shape = unknown_outputs,
};
static_assert(well_formed(kStackPopV2));

extern constexpr OpDecl kStackCloseV2{
    .name = "StackCloseV2",
    .doc = "Gives up what is on the stack; using it afterwards is an error.",
    .inputs = {"handle: resource"},
    .traits = kStateful,
};
static_assert(well_formed(kStackCloseV2));

}  // namespace rill
