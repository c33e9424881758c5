#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// dx = dy / y and dy = dy * -x / y / y, by whatever division the op does.
template <class Divide>
void quotient_grad(GradCtx& g, Divide divide) {
  Broadcast both(g, g.input(0), g.input(1));
  const Output x = conj(g, g.input(0)), y = conj(g, g.input(1));
  g.set(0, both.to_x(divide(g.dy(), y)));
  g.set(1, both.to_y(mul(g, g.dy(), divide(divide(neg(g, x), y), y))));
}

void div_grad(GradCtx& g) {
  quotient_grad(g, [&](Output x, Output y) { return truediv(g, x, y); });
}

void real_div_grad(GradCtx& g) {
  quotient_grad(g, [&](Output x, Output y) { return g.add("RealDiv", {x, y}); });
}

void floor_mod_grad(GradCtx& g) {
  const Output x = conj(g, g.input(0)), y = conj(g, g.input(1));
  Broadcast both(g, x, y);
  const Output whole = g.add("FloorDiv", {x, y});
  g.set(0, both.to_x(g.dy()));
  g.set(1, both.to_y(mul(g, g.dy(), neg(g, whole))));
}

}  // namespace

extern constexpr OpDecl kDiv{
    .name = "Div",
    .doc = "x / y with broadcasting; integers are divided and rounded towards zero.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = div_grad,
};
static_assert(well_formed(kDiv));

extern constexpr OpDecl kRealDiv{
    .name = "RealDiv",
    .doc = "x / y with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = real_div_grad,
};
static_assert(well_formed(kRealDiv));

extern constexpr OpDecl kFloorDiv{
    .name = "FloorDiv",
    .doc = "x / y with broadcasting, rounded towards minus infinity.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = zero_grad,
};
static_assert(well_formed(kFloorDiv));

extern constexpr OpDecl kTruncateDiv{
    .name = "TruncateDiv",
    .doc = "x / y of integers with broadcasting, rounded towards zero.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = zero_grad,
};
static_assert(well_formed(kTruncateDiv));

extern constexpr OpDecl kMod{
    .name = "Mod",
    .doc = "The remainder of x / y with broadcasting; it has the sign of x.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int32, int64, half, half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = no_gradient,
};
static_assert(well_formed(kMod));

extern constexpr OpDecl kFloorMod{
    .name = "FloorMod",
    .doc = "The remainder of x / y with broadcasting; it has the sign of y.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int32, int64, bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = floor_mod_grad,
};
static_assert(well_formed(kFloorMod));

extern constexpr OpDecl kTruncateMod{
    .name = "TruncateMod",
    .doc = "The remainder of x / y with broadcasting; it has the sign of x.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int32, int64, bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = no_gradient,
};
static_assert(well_formed(kTruncateMod));

}  // namespace rill
