#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// All have one shape, except that any may be a scalar.
Shapes betainc_shape(const ShapeCtx& c) {
  PartialShape out = PartialShape::scalar();
  bool is_scalar = true;
  for (int i = 0; i < 3; ++i) {
    const PartialShape& input = c.input(i);
    if (!input.has_rank()) return {PartialShape()};
    if (input.rank() == 0) continue;
    out = is_scalar ? input : merge_shapes(out, input);
    is_scalar = false;
  }
  return {out};
}

// By x alone, as in TensorFlow. x is a scalar and a is not, or the other way round, or neither.
void betainc_grad(GradCtx& g) {
  const Output a = g.input(0), b = g.input(1), x = g.input(2);
  Broadcast both(g, a, x);
  const auto lgamma = [&](Output v) { return g.add("Lgamma", {v}); };
  const Output gamma_a = lgamma(a), gamma_b = lgamma(b);
  const Output gammas = add(g, gamma_a, gamma_b);
  const Output log_beta = sub(g, gammas, lgamma(add(g, a, b)));
  const Output b_less = sub(g, b, 1);
  const Output log_rest = mul(g, b_less, g.add("Log", {sub(g, 1.0, x)}));
  const Output a_less = sub(g, a, 1);
  const Output log_x = mul(g, a_less, g.add("Log", {x}));
  const Output slope = g.add("Exp", {sub(g, add(g, log_rest, log_x), log_beta)});
  g.set(2, both.to_y(mul(g, slope, g.dy())));
}

}  // namespace

extern constexpr OpDecl kBetainc{
    .name = "Betainc",
    .doc = "The incomplete beta function of a, b and x, divided by the complete one.",
    .inputs = {"a: T", "b: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = betainc_shape,
    .grad = betainc_grad,
};
static_assert(well_formed(kBetainc));

}  // namespace rill
