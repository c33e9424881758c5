#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// dy * op(x).
void times(GradCtx& g, const char* op) {
  g.after_dy();
  g.set(0, mul(g, g.dy(), g.add(op, {conj(g, g.input(0))})));
}

void sin_grad(GradCtx& g) { times(g, "Cos"); }
void sinh_grad(GradCtx& g) { times(g, "Cosh"); }
void cosh_grad(GradCtx& g) { times(g, "Sinh"); }

void cos_grad(GradCtx& g) {
  const Output minus = neg(g, g.dy());
  g.after_dy();
  g.set(0, mul(g, minus, g.add("Sin", {conj(g, g.input(0))})));
}

void tan_grad(GradCtx& g) {
  g.after_dy();
  const Output secant = reciprocal(g, g.add("Cos", {conj(g, g.input(0))}));
  g.set(0, mul(g, square(g, secant), g.dy()));
}

// 1 / sqrt(1 - x * x).
Output inverse_slope(GradCtx& g) {
  const Output x2 = square(g, conj(g, g.input(0)));
  const Output one = number(g, 1, g.dy().dtype());
  return reciprocal(g, g.add("Sqrt", {g.add("Sub", {one, x2})}));
}

void asin_grad(GradCtx& g) {
  g.after_dy();
  g.set(0, mul(g, g.dy(), inverse_slope(g)));
}

void acos_grad(GradCtx& g) {
  g.after_dy();
  const Output slope = inverse_slope(g);
  g.set(0, mul(g, neg(g, g.dy()), slope));
}

// dy / (1 + x * x), or with "Sub" dy / (1 - x * x).
void rational_grad(GradCtx& g, const char* op) {
  g.after_dy();
  const Output x2 = square(g, conj(g, g.input(0)));
  const Output one = number(g, 1, g.dy().dtype());
  g.set(0, mul(g, g.dy(), reciprocal(g, g.add(op, {one, x2}))));
}

void atan_grad(GradCtx& g) { rational_grad(g, "Add"); }
void atanh_grad(GradCtx& g) { rational_grad(g, "Sub"); }

void over(GradCtx& g, const char* op) {
  g.after_dy();
  g.set(0, truediv(g, g.dy(), g.add(op, {conj(g, g.output())})));
}

void asinh_grad(GradCtx& g) { over(g, "Cosh"); }
void acosh_grad(GradCtx& g) { over(g, "Sinh"); }

}  // namespace

extern constexpr OpDecl kSin{
    .name = "Sin",
    .doc = "The sine of x in radians.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = sin_grad,
};
static_assert(well_formed(kSin));

extern constexpr OpDecl kCos{
    .name = "Cos",
    .doc = "The cosine of x in radians.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = cos_grad,
};
static_assert(well_formed(kCos));

extern constexpr OpDecl kTan{
    .name = "Tan",
    .doc = "The tangent of x in radians.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = tan_grad,
};
static_assert(well_formed(kTan));

extern constexpr OpDecl kAsin{
    .name = "Asin",
    .doc = "The angle whose sine is x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = asin_grad,
};
static_assert(well_formed(kAsin));

extern constexpr OpDecl kAcos{
    .name = "Acos",
    .doc = "The angle whose cosine is x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = acos_grad,
};
static_assert(well_formed(kAcos));

extern constexpr OpDecl kAtan{
    .name = "Atan",
    .doc = "The angle whose tangent is x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = atan_grad,
};
static_assert(well_formed(kAtan));

extern constexpr OpDecl kSinh{
    .name = "Sinh",
    .doc = "The hyperbolic sine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = sinh_grad,
};
static_assert(well_formed(kSinh));

extern constexpr OpDecl kCosh{
    .name = "Cosh",
    .doc = "The hyperbolic cosine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = cosh_grad,
};
static_assert(well_formed(kCosh));

extern constexpr OpDecl kAsinh{
    .name = "Asinh",
    .doc = "The inverse hyperbolic sine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = asinh_grad,
};
static_assert(well_formed(kAsinh));

extern constexpr OpDecl kAcosh{
    .name = "Acosh",
    .doc = "The inverse hyperbolic cosine of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = acosh_grad,
};
static_assert(well_formed(kAcosh));

extern constexpr OpDecl kAtanh{
    .name = "Atanh",
    .doc = "The inverse hyperbolic tangent of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = atanh_grad,
};
static_assert(well_formed(kAtanh));

}  // namespace rill
