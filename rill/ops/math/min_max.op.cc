#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kMaximum{
    .name = "Maximum",
    .doc = "The larger of x and y with broadcasting; NaN when either is.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kMaximum));

extern constexpr OpDecl kMinimum{
    .name = "Minimum",
    .doc = "The smaller of x and y with broadcasting; NaN when either is.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kMinimum));

}  // namespace rill
