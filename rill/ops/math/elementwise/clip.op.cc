#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes clip_shape(const ShapeCtx& c) {
  for (int i = 1; i < 3; ++i) {
    const bool scalar = c.input(i).has_rank() && c.input(i).rank() == 0;
    require(scalar || c.input(i).is_compatible(c.input(0)) ||
                c.input(i).is_compatible(PartialShape::scalar()),
            "clip_value_min and clip_value_max must be either of the same shape as input, or a "
            "scalar. input shape: ",
            c.input(0), " clip_value_min shape: ", c.input(1),
            " clip_value_max shape: ", c.input(2));
  }
  return {c.input(0)};
}

void clip_grad(GradCtx& g) {
  const Output x = g.input(0), low = g.input(1), high = g.input(2), dy = g.dy();
  const Output shape_x = shape_of(g, x), shape_low = shape_of(g, low);
  const Output shape_high = shape_of(g, high), shape_dy = shape_of(g, dy);
  Scope inner = g.scope().named("zeros");
  const Output zero = inner.constant(Tensor::zeros(base_type(dy.dtype()), {}), "Const");
  const Output zeros = fill(g.scope(), shape_dy, zero, inner.name() + "/");
  const Output below = g.add("Less", {x, low}), above = g.add("Greater", {x, high});
  Node& low_axes = g.scope().add("BroadcastGradientArgs", {shape_x, shape_low});
  Node& high_axes = g.scope().add("BroadcastGradientArgs", {shape_x, shape_high});
  const Output outside = g.add("LogicalOr", {below, above});
  g.set(0, g.add("Select", {outside, zeros, dy}));
  const Output to_low = g.add("Select", {below, dy, zeros});
  const Output to_high = g.add("Select", {above, dy, zeros});
  g.set(1, reshape(g, g.add("Sum", {to_low, low_axes.output(1)}), shape_low));
  g.set(2, reshape(g, g.add("Sum", {to_high, high_axes.output(1)}), shape_high));
}

}  // namespace

extern constexpr OpDecl kClipByValue{
    .name = "ClipByValue",
    .doc =
        "t, but not below clip_value_min nor above clip_value_max, which have its shape or are "
        "scalars.",
    .inputs = {"t: T", "clip_value_min: T", "clip_value_max: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = clip_shape,
    .grad = clip_grad,
};
static_assert(well_formed(kClipByValue));

}  // namespace rill
