#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kLogicalAnd{
    .name = "LogicalAnd",
    .doc = "Whether x and y are both true, with broadcasting.",
    .inputs = {"x: bool", "y: bool"},
    .outputs = {"z: bool"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kLogicalAnd));

extern constexpr OpDecl kLogicalOr{
    .name = "LogicalOr",
    .doc = "Whether x or y is true, with broadcasting.",
    .inputs = {"x: bool", "y: bool"},
    .outputs = {"z: bool"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kLogicalOr));

extern constexpr OpDecl kLogicalNot{
    .name = "LogicalNot",
    .doc = "Whether x is false.",
    .inputs = {"x: bool"},
    .outputs = {"y: bool"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kLogicalNot));

}  // namespace rill
