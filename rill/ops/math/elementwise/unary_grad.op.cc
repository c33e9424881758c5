#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Tensor constant(GradCtx& g, double value) { return Input(value).value(base_type(g.dy().dtype())); }

// d/dy of dy * f(y) where f' = -2 y, and the op itself for dy.
void quadratic_grad(GradCtx& g, const char* op) {
  g.after_dy();
  const Output y = conj(g, g.input(0)), b = conj(g, g.input(1));
  g.set(0, mul(g, mul(g, mul(g, g.dy(), -2.0), b), y));
  g.set(1, g.add(op, {y, g.dy()}));
}

void tanh_grad_grad(GradCtx& g) { quadratic_grad(g, "TanhGrad"); }
void reciprocal_grad_grad(GradCtx& g) { quadratic_grad(g, "ReciprocalGrad"); }

void sigmoid_grad_grad(GradCtx& g) {
  g.after_dy();
  const Output y = conj(g, g.input(0)), b = conj(g, g.input(1));
  const Output gb = mul(g, g.dy(), b);
  g.set(0, sub(g, gb, mul(g, mul(g, constant(g, 2), gb), y)));
  g.set(1, g.add("SigmoidGrad", {y, g.dy()}));
}

void sqrt_grad_grad(GradCtx& g) {
  const Output scaled = truediv(g, g.dy(), g.input(0));
  g.set(0, mul(g, neg(g, conj(g, scaled)), g.output()));
  g.after_dy();
  g.set(1, mul(g, constant(g, 0.5), scaled));
}

void rsqrt_grad_grad(GradCtx& g) {
  g.after_dy();
  const Output y = conj(g, g.input(0)), b = conj(g, g.input(1)), dy = conj(g, g.dy());
  const Output scaled = mul(g, mul(g, constant(g, -1.5), dy), b);
  g.set(0, mul(g, scaled, square(g, y)));
  g.set(1, g.add("RsqrtGrad", {y, dy}));
}

}  // namespace

extern constexpr OpDecl kTanhGrad{
    .name = "TanhGrad",
    .doc = "dy * (1 - y * y): the gradient of y = Tanh(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .cost = per_output<3>,
    .grad = tanh_grad_grad,
};
static_assert(well_formed(kTanhGrad));

extern constexpr OpDecl kSigmoidGrad{
    .name = "SigmoidGrad",
    .doc = "dy * y * (1 - y): the gradient of y = Sigmoid(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .cost = per_output<3>,
    .grad = sigmoid_grad_grad,
};
static_assert(well_formed(kSigmoidGrad));

extern constexpr OpDecl kInvGrad{
    .name = "InvGrad",
    .doc = "-dy * y * y: the gradient of y = Inv(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = reciprocal_grad_grad,
};
static_assert(well_formed(kInvGrad));

extern constexpr OpDecl kReciprocalGrad{
    .name = "ReciprocalGrad",
    .doc = "-dy * y * y: the gradient of y = Reciprocal(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = reciprocal_grad_grad,
};
static_assert(well_formed(kReciprocalGrad));

extern constexpr OpDecl kSqrtGrad{
    .name = "SqrtGrad",
    .doc = "dy / 2 / y: the gradient of y = Sqrt(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = sqrt_grad_grad,
};
static_assert(well_formed(kSqrtGrad));

extern constexpr OpDecl kRsqrtGrad{
    .name = "RsqrtGrad",
    .doc = "-dy / 2 * y * y * y: the gradient of y = Rsqrt(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = rsqrt_grad_grad,
};
static_assert(well_formed(kRsqrtGrad));

}  // namespace rill
