#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void elu_grad(GradCtx& g) { g.set(0, g.add("EluGrad", {g.dy(), g.output()})); }
void selu_grad(GradCtx& g) { g.set(0, g.add("SeluGrad", {g.dy(), g.output()})); }
void softplus_grad(GradCtx& g) { g.set(0, g.add("SoftplusGrad", {g.dy(), g.input(0)})); }
void softsign_grad(GradCtx& g) { g.set(0, g.add("SoftsignGrad", {g.dy(), g.input(0)})); }

// Below zero the slope itself depends on the output.
void exponential_unit_grad_grad(GradCtx& g, const char* op) {
  const Output y = g.input(1);
  g.set(0, g.add(op, {g.dy(), y}));
  const Output below = g.add("Less", {y, 0.0});
  const Output slope = mul(g, g.dy(), g.input(0));
  g.set(1, g.add("Select", {below, slope, zeros_like(g, y)}));
}

void elu_grad_grad(GradCtx& g) { exponential_unit_grad_grad(g, "EluGrad"); }
void selu_grad_grad(GradCtx& g) { exponential_unit_grad_grad(g, "SeluGrad"); }

void softplus_grad_grad(GradCtx& g) {
  const Output dy = g.input(0), x = g.input(1);
  g.after_dy();
  g.set(0, g.add("SoftplusGrad", {g.dy(), x}));
  const Output up = mul(g, g.dy(), dy);
  const Output falling = g.add("Exp", {neg(g, x)});
  const Output sum = add(g, falling, 2.0);
  const Output down = add(g, sum, g.add("Exp", {x}));
  g.set(1, truediv(g, up, down));
}

}  // namespace

extern constexpr OpDecl kElu{
    .name = "Elu",
    .doc = "x where it is above 0, else exp(x) - 1.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = elu_grad,
};
static_assert(well_formed(kElu));

extern constexpr OpDecl kEluGrad{
    .name = "EluGrad",
    .doc = "The gradients of Elu from its outputs.",
    .inputs = {"gradients: T", "outputs: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = elu_grad_grad,
};
static_assert(well_formed(kEluGrad));

extern constexpr OpDecl kSelu{
    .name = "Selu",
    .doc = "Elu scaled so that activations keep mean 0 and variance 1.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = selu_grad,
};
static_assert(well_formed(kSelu));

extern constexpr OpDecl kSeluGrad{
    .name = "SeluGrad",
    .doc = "The gradients of Selu from its outputs.",
    .inputs = {"gradients: T", "outputs: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = selu_grad_grad,
};
static_assert(well_formed(kSeluGrad));

extern constexpr OpDecl kSoftplus{
    .name = "Softplus",
    .doc = "log(1 + exp(x)), computed without overflow.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<2 * kTranscendental>,
    .grad = softplus_grad,
};
static_assert(well_formed(kSoftplus));

extern constexpr OpDecl kSoftplusGrad{
    .name = "SoftplusGrad",
    .doc = "gradients / (1 + exp(-features)).",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = softplus_grad_grad,
};
static_assert(well_formed(kSoftplusGrad));

extern constexpr OpDecl kSoftsign{
    .name = "Softsign",
    .doc = "x / (1 + |x|).",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = softsign_grad,
};
static_assert(well_formed(kSoftsign));

extern constexpr OpDecl kSoftsignGrad{
    .name = "SoftsignGrad",
    .doc = "gradients / (1 + |features|)^2.",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = no_gradient,
};
static_assert(well_formed(kSoftsignGrad));

}  // namespace rill
