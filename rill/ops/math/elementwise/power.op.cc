#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// log(x) where it exists and zero elsewhere, without its gradient becoming NaN.
Output safe_log(GradCtx& g, Output x) {
  const bool is_complex = kComplexTypes.contains(base_type(x.dtype()));
  const Output mask = is_complex ? g.add("NotEqual", {x, 0}) : g.add("Greater", {x, 0});
  const Output safe = g.add("Select", {mask, x, ones_like(g, x)});
  const Output log = g.add("Log", {safe});
  return g.add("Select", {mask, log, zeros_like(g, x)});
}

void pow_grad(GradCtx& g) {
  const Output dy = g.dy();
  Broadcast both(g, g.input(0), g.input(1));
  const Output x = conj(g, g.input(0)), y = conj(g, g.input(1)), z = conj(g, g.output());
  const Output slope = mul(g, dy, y);
  g.set(0, both.to_x(mul(g, slope, g.add("Pow", {x, sub(g, y, 1)}))));
  const Output log = safe_log(g, x);
  g.set(1, both.to_y(mul(g, mul(g, dy, z), log)));
}

void squared_difference_grad(GradCtx& g) {
  const Output x = g.input(0), y = g.input(1);
  const Scope outside = g.scope();
  g.after_dy();
  const Output two = number(g, 2, g.dy().dtype(), "scalar");
  const Output twice = g.add("Mul", {two, g.dy()});
  const Output to_x = mul(g, twice, sub(g, x, y));
  g.scope() = outside;
  if (same_full_shapes(x, y, g.dy())) {
    g.set(0, to_x);
    g.set(1, neg(g, to_x));
    return;
  }
  Broadcast both(g, x, y);
  g.set(0, both.to_x(to_x));
  g.set(1, neg(g, both.to_y(to_x)));
}

void div_no_nan_grad(GradCtx& g) {
  Broadcast both(g, g.input(0), g.input(1));
  const Output x = conj(g, g.input(0)), y = conj(g, g.input(1));
  g.set(0, both.to_x(div_no_nan(g, g.dy(), y)));
  const Output slope = div_no_nan(g, div_no_nan(g, neg(g, x), y), y);
  g.set(1, both.to_y(mul(g, g.dy(), slope)));
}

void mul_no_nan_grad(GradCtx& g) {
  const Output x = g.input(0), y = g.input(1), dy = g.dy();
  if (same_full_shapes(x, y, dy)) {
    g.set(0, g.add("MulNoNan", {dy, y}));
    g.set(1, g.add("MulNoNan", {x, dy}));
    return;
  }
  Broadcast both(g, x, y);
  g.set(0, both.to_x(g.add("MulNoNan", {dy, y})));
  g.set(1, both.to_y(g.add("MulNoNan", {x, dy})));
}

// 1 where x is not zero.
Output not_zero(GradCtx& g, Output x) {
  Scope inner = g.scope().named("Cast");
  const Output zero = Input(0.0).as_output(inner, "x", base_type(x.dtype()));
  const Output mask = g.add("NotEqual", {x, zero});
  return cast(g, mask, base_type(x.dtype()));
}

void xdivy_grad(GradCtx& g) {
  const Output x = g.input(0), y = g.input(1);
  Broadcast both(g, x, y);
  const Scope outside = g.scope();
  g.after_dy();
  const Output slope_x = g.add("Xdivy", {not_zero(g, x), y});
  const Output minus_x = neg(g, x);
  const Output slope_y = g.add("Xdivy", {minus_x, g.add("Pow", {y, 2.0}, {}, "pow")});
  const Output to_x = mul(g, slope_x, g.dy());
  g.set(0, both.to_x(to_x));
  const Output to_y = mul(g, slope_y, g.dy());
  g.set(1, both.to_y(to_y));
  g.scope() = outside;
}

void xlogy_grad(GradCtx& g) {
  const Output x = g.input(0), y = g.input(1);
  Broadcast both(g, x, y);
  g.after_dy();
  const Output slope_x = g.add("Xlogy", {not_zero(g, x), y});
  const Output slope_y = g.add("Xdivy", {x, y});
  g.set(0, both.to_x(mul(g, slope_x, g.dy())));
  g.set(1, both.to_y(mul(g, slope_y, g.dy())));
}

// Atan2 takes y before x.
void atan2_grad(GradCtx& g) {
  const Output y = g.input(0), x = g.input(1);
  g.after_dy();
  const Output y2 = square(g, y), x2 = square(g, x);
  const Output scaled = truediv(g, g.dy(), add(g, y2, x2));
  const Output to_y = mul(g, x, scaled);
  const Output to_x = mul(g, neg(g, y), scaled);
  Broadcast both(g, y, x);
  g.set(0, both.to_x(to_y));
  g.set(1, both.to_y(to_x));
}

}  // namespace

extern constexpr OpDecl kPow{
    .name = "Pow",
    .doc = "x to the power of y with broadcasting; a negative power of an integer is an error.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, float, half, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .cost = per_output<2 * kTranscendental>,
    .grad = pow_grad,
};
static_assert(well_formed(kPow));

extern constexpr OpDecl kSquaredDifference{
    .name = "SquaredDifference",
    .doc = "The square of x - y with broadcasting; of complex numbers, times the conjugate.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .cost = per_output<2>,
    .grad = squared_difference_grad,
};
static_assert(well_formed(kSquaredDifference));

extern constexpr OpDecl kDivNoNan{
    .name = "DivNoNan",
    .doc = "x / y with broadcasting, and 0 where y is 0.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = div_no_nan_grad,
};
static_assert(well_formed(kDivNoNan));

extern constexpr OpDecl kMulNoNan{
    .name = "MulNoNan",
    .doc = "x * y with broadcasting, and 0 where y is 0 even if x is infinite or NaN.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = mul_no_nan_grad,
};
static_assert(well_formed(kMulNoNan));

extern constexpr OpDecl kXdivy{
    .name = "Xdivy",
    .doc = "x / y with broadcasting, and 0 where x is 0.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = xdivy_grad,
};
static_assert(well_formed(kXdivy));

extern constexpr OpDecl kXlogy{
    .name = "Xlogy",
    .doc = "x * log(y) with broadcasting, and 0 where x is 0.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = xlogy_grad,
};
static_assert(well_formed(kXlogy));

extern constexpr OpDecl kAtan2{
    .name = "Atan2",
    .doc = "The angle of the point (x, y) from the positive x axis, in (-pi, pi].",
    .inputs = {"y: T", "x: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = atan2_grad,
};
static_assert(well_formed(kAtan2));

}  // namespace rill
