#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void choice_grad(GradCtx& g, const char* comparison) {
  const Output dy = g.dy();
  const Output shape_x = shape_of(g, g.input(0)), shape_y = shape_of(g, g.input(1));
  const Output shape_dy = shape_of(g, dy);
  Scope inner = g.scope().named("zeros");
  const Output zero = inner.constant(Tensor::zeros(base_type(dy.dtype()), {}), "Const");
  const Output zeros = fill(g.scope(), shape_dy, zero, inner.name() + "/");
  const Output mask = g.add(comparison, {g.input(0), g.input(1)});
  Node& axes = g.scope().add("BroadcastGradientArgs", {shape_x, shape_y});
  const Output to_x = g.add("Select", {mask, dy, zeros});
  const Output sum_x = g.add("Sum", {to_x, axes.output(0)});
  const Output to_y = g.add("Select", {mask, zeros, dy});
  const Output sum_y = g.add("Sum", {to_y, axes.output(1)});
  g.set(0, reshape(g, sum_x, shape_x));
  g.set(1, reshape(g, sum_y, shape_y));
}

void maximum_grad(GradCtx& g) { choice_grad(g, "GreaterEqual"); }
void minimum_grad(GradCtx& g) { choice_grad(g, "LessEqual"); }

}  // namespace

extern constexpr OpDecl kMaximum{
    .name = "Maximum",
    .doc = "The larger of x and y with broadcasting; NaN when either is.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = maximum_grad,
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
    .grad = minimum_grad,
};
static_assert(well_formed(kMinimum));

}  // namespace rill
