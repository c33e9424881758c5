#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void neg_grad(GradCtx& g) { g.set(0, neg(g, g.dy())); }

void abs_grad(GradCtx& g) { g.set(0, mul(g, g.dy(), g.add("Sign", {g.input(0)}))); }

void sign_grad(GradCtx& g) { g.set(0, zeros_like(g, g.input(0))); }

void square_grad(GradCtx& g) {
  g.after_dy();
  const Output x = conj(g, g.input(0));
  const Output two = number(g, 2, x.dtype());
  const Output twice = g.add("Mul", {x, two});
  g.set(0, g.add("Mul", {g.dy(), twice}));
}

void sqrt_grad(GradCtx& g) { g.set(0, g.add("SqrtGrad", {g.output(), g.dy()})); }
void rsqrt_grad(GradCtx& g) { g.set(0, g.add("RsqrtGrad", {g.output(), g.dy()})); }
void reciprocal_grad(GradCtx& g) { g.set(0, g.add("ReciprocalGrad", {g.output(), g.dy()})); }

}  // namespace

extern constexpr OpDecl kNeg{
    .name = "Neg",
    .doc = "-x; integers wrap around.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = neg_grad,
};
static_assert(well_formed(kNeg));

extern constexpr OpDecl kAbs{
    .name = "Abs",
    .doc = "The absolute value of x; the most negative integer stays as it is.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int8, int16, int32, int64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = abs_grad,
};
static_assert(well_formed(kAbs));

extern constexpr OpDecl kSign{
    .name = "Sign",
    .doc = "-1, 0 or 1 by the sign of x, NaN for NaN; for complex numbers x / |x|.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = sign_grad,
};
static_assert(well_formed(kSign));

extern constexpr OpDecl kSquare{
    .name = "Square",
    .doc = "x * x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = square_grad,
};
static_assert(well_formed(kSquare));

extern constexpr OpDecl kSqrt{
    .name = "Sqrt",
    .doc = "The square root of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kRoot>,
    .grad = sqrt_grad,
};
static_assert(well_formed(kSqrt));

extern constexpr OpDecl kRsqrt{
    .name = "Rsqrt",
    .doc = "1 / sqrt(x).",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kRoot>,
    .grad = rsqrt_grad,
};
static_assert(well_formed(kRsqrt));

extern constexpr OpDecl kReciprocal{
    .name = "Reciprocal",
    .doc = "1 / x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = reciprocal_grad,
};
static_assert(well_formed(kReciprocal));

extern constexpr OpDecl kInv{
    .name = "Inv",
    .doc = "1 / x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = reciprocal_grad,
};
static_assert(well_formed(kInv));

}  // namespace rill
