#include <limits>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void i0e_grad(GradCtx& g) {
  const Output x = g.input(0);
  g.after_dy();
  const Output i1e = g.add("BesselI1e", {x}, {}, "bessel_i1e");
  const Output slope = sub(g, i1e, mul(g, g.add("Sign", {x}), g.output()));
  g.set(0, mul(g, g.dy(), slope));
}

double spacing_at_one(DType type) {
  if (type == DType::f16) return 1.0 / 1024;
  if (type == DType::bf16) return 1.0 / 128;
  return type == DType::f32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                            : std::numeric_limits<double>::epsilon();
}

// Near zero, where the formula divides by x, the slope is one half.
void i1e_grad(GradCtx& g) {
  const Output x = g.input(0);
  g.after_dy();
  const double tiny = spacing_at_one(base_type(x.dtype()));
  const Output nothing = zeros_like(g, x);
  const Output usual = g.add("Greater", {g.add("Abs", {x}), tiny});
  const Output safe = g.add("Select", {usual, x, add(g, tiny, nothing)});
  const Output i0e = g.add("BesselI0e", {safe}, {}, "bessel_i0e");
  const Output sign = g.add("Sign", {safe});
  const Output factor = add(g, sign, reciprocal(g, safe));
  const Output slope = sub(g, i0e, mul(g, g.output(), factor));
  const Output half = add(g, 0.5, nothing);
  g.set(0, mul(g, g.dy(), g.add("Select", {usual, slope, half})));
}

}  // namespace

extern constexpr OpDecl kBesselI0e{
    .name = "BesselI0e",
    .doc = "The modified Bessel function of the first kind of order 0, times exp(-|x|).",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = i0e_grad,
};
static_assert(well_formed(kBesselI0e));

extern constexpr OpDecl kBesselI1e{
    .name = "BesselI1e",
    .doc = "The modified Bessel function of the first kind of order 1, times exp(-|x|).",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = i1e_grad,
};
static_assert(well_formed(kBesselI1e));

}  // namespace rill
