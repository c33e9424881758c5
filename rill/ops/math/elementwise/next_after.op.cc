#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Output filled(GradCtx& g, const char* name, Output shape, double value, DType type) {
  Scope inner = g.scope().named(name);
  const Output element = Input(value).as_output(inner, "Const", type);
  return fill(g.scope(), shape, element, inner.name() + "/");
}

// A neighbour moves along with x1 and does not care about x2.
void next_after_grad(GradCtx& g) {
  const DType type = base_type(g.dy().dtype());
  const Output shape_1 = shape_of(g, g.input(0)), shape_2 = shape_of(g, g.input(1));
  Node& axes = g.scope().add("BroadcastGradientArgs", {shape_1, shape_2});
  g.after_dy();
  const Output one = filled(g, "ones", shape_1, 1, type);
  const Output zero = filled(g, "zeros", shape_2, 0, type);
  const Output to_1 = g.add("Sum", {mul(g, one, g.dy()), axes.output(0)});
  g.set(0, reshape(g, to_1, shape_1));
  const Output to_2 = g.add("Sum", {mul(g, zero, g.dy()), axes.output(1)});
  g.set(1, reshape(g, to_2, shape_2));
}

}  // namespace

extern constexpr OpDecl kNextAfter{
    .name = "NextAfter",
    .doc = "The number next to x1 in the direction of x2.",
    .inputs = {"x1: T", "x2: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {double, float} = DT_FLOAT"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = next_after_grad,
};
static_assert(well_formed(kNextAfter));

}  // namespace rill
