#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Neither function has a derivative by its first argument here, as in TensorFlow.

void zeta_grad(GradCtx& g) {
  const Output x = g.input(0), q = g.input(1);
  Broadcast both(g, x, q);
  g.after_dy();
  const Output minus_x = neg(g, x);
  const Output slope = mul(g, minus_x, g.add("Zeta", {add(g, x, 1), q}));
  g.set(1, both.to_y(mul(g, slope, g.dy())));
}

void polygamma_grad(GradCtx& g) {
  const Output a = g.input(0), x = g.input(1);
  Broadcast both(g, a, x);
  g.after_dy();
  const Output slope = g.add("Polygamma", {add(g, a, 1), x});
  g.set(1, both.to_y(mul(g, slope, g.dy())));
}

}  // namespace

extern constexpr OpDecl kZeta{
    .name = "Zeta",
    .doc = "Hurwitz's zeta function: the sum of (q + n)^-x over n = 0, 1, ...",
    .inputs = {"x: T", "q: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = zeta_grad,
};
static_assert(well_formed(kZeta));

extern constexpr OpDecl kPolygamma{
    .name = "Polygamma",
    .doc = "The derivative of order a of Digamma at x.",
    .inputs = {"a: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = polygamma_grad,
};
static_assert(well_formed(kPolygamma));

}  // namespace rill
