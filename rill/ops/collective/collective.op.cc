#include "rill/base/error.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes stated_collective_shape(const ShapeCtx& c) { return {c.attr<PartialShape>("shape")}; }

}  // namespace

extern constexpr OpDecl kCollectiveReduce{
    .name = "CollectiveReduce",
    .doc =
        "The inputs of all members of a group merged into one: their sum, product, minimum or "
        "maximum, divided by their number if `final_op` says so.",
    .inputs = {"input: T"},
    .outputs = {"data: T"},
    .attrs = {"T: {float, half, double, int32, int64}", "group_size: int", "group_key: int",
              "instance_key: int", "merge_op: {'Min', 'Max', 'Mul', 'Add'}",
              "final_op: {'Id', 'Div'}", "subdiv_offsets: list(int)", "wait_for: list(int) = []",
              "communication_hint: string = 'auto'"},
    .traits = kStateful,
    .shape = same_as_input,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kCollectiveReduce));

extern constexpr OpDecl kCollectiveGather{
    .name = "CollectiveGather",
    .doc = "The inputs of all members of a group behind each other, in the order of their ranks.",
    .inputs = {"input: T"},
    .outputs = {"data: T"},
    .attrs = {"T: {float, half, double, int32, int64}", "group_size: int", "group_key: int",
              "instance_key: int", "shape: shape", "communication_hint: string = 'auto'"},
    .traits = kStateful,
    .shape = stated_collective_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kCollectiveGather));

extern constexpr OpDecl kCollectiveBcastSend{
    .name = "CollectiveBcastSend",
    .doc = "Gives its input to all other members of a group.",
    .inputs = {"input: T"},
    .outputs = {"data: T"},
    .attrs = {"T: {float, half, double, int32, int64}", "group_size: int", "group_key: int",
              "instance_key: int", "shape: shape", "communication_hint: string = 'auto'"},
    .traits = kStateful,
    .shape = stated_collective_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kCollectiveBcastSend));

extern constexpr OpDecl kCollectiveBcastRecv{
    .name = "CollectiveBcastRecv",
    .doc = "What another member of a group gives to all.",
    .outputs = {"data: T"},
    .attrs = {"T: {float, half, double, int32, int64}", "group_size: int", "group_key: int",
              "instance_key: int", "shape: shape", "communication_hint: string = 'auto'"},
    .traits = kStateful,
    .shape = stated_collective_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kCollectiveBcastRecv));

}  // namespace rill
