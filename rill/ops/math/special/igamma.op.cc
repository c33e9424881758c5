#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void igamma_grad(GradCtx& g) {
  const Output a = g.input(0), x = g.input(1);
  Broadcast both(g, a, x);
  g.after_dy();
  const Output slope_a = g.add("IgammaGradA", {a, x});
  // In logarithms, whose sum is small where the factors are not.
  const Output minus_x = neg(g, x), power = sub(g, a, 1);
  const Output log_x = mul(g, power, g.add("Log", {x}));
  const Output sum = add(g, minus_x, log_x);
  const Output slope_x = g.add("Exp", {sub(g, sum, g.add("Lgamma", {a}))});
  g.set(0, both.to_x(mul(g, slope_a, g.dy())));
  g.set(1, both.to_y(mul(g, slope_x, g.dy())));
}

// The two functions add up to one.
void igammac_grad(GradCtx& g) {
  const Scope outside = g.scope();
  igamma_grad(g);
  g.scope() = outside;
  for (int i = 0; i < 2; ++i) g.set(i, neg(g, g.leaving(i).dense()));
}

}  // namespace

extern constexpr OpDecl kIgamma{
    .name = "Igamma",
    .doc = "The lower incomplete gamma function of a and x, divided by gamma(a).",
    .inputs = {"a: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = igamma_grad,
};
static_assert(well_formed(kIgamma));

extern constexpr OpDecl kIgammac{
    .name = "Igammac",
    .doc = "The upper incomplete gamma function of a and x, divided by gamma(a).",
    .inputs = {"a: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = igammac_grad,
};
static_assert(well_formed(kIgammac));

extern constexpr OpDecl kIgammaGradA{
    .name = "IgammaGradA",
    .doc = "The derivative of Igamma with respect to a.",
    .inputs = {"a: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = no_gradient,
};
static_assert(well_formed(kIgammaGradA));

}  // namespace rill
