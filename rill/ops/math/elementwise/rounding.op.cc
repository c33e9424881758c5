#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kFloor{
    .name = "Floor",
    .doc = "The largest integer not above x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = zero_grad,
};
static_assert(well_formed(kFloor));

extern constexpr OpDecl kCeil{
    .name = "Ceil",
    .doc = "The smallest integer not below x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = zero_grad,
};
static_assert(well_formed(kCeil));

extern constexpr OpDecl kRint{
    .name = "Rint",
    .doc = "The integer nearest to x; halves go to the even one.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = zero_grad,
};
static_assert(well_formed(kRint));

extern constexpr OpDecl kRound{
    .name = "Round",
    .doc = "The integer nearest to x; halves go to the even one.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = zero_grad,
};
static_assert(well_formed(kRound));

extern constexpr OpDecl kIsNan{
    .name = "IsNan",
    .doc = "Whether x is NaN.",
    .inputs = {"x: T"},
    .outputs = {"y: bool"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kIsNan));

extern constexpr OpDecl kIsInf{
    .name = "IsInf",
    .doc = "Whether x is infinite.",
    .inputs = {"x: T"},
    .outputs = {"y: bool"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kIsInf));

extern constexpr OpDecl kIsFinite{
    .name = "IsFinite",
    .doc = "Whether x is neither infinite nor NaN.",
    .inputs = {"x: T"},
    .outputs = {"y: bool"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kIsFinite));

}  // namespace rill
