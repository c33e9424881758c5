#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void exp_grad(GradCtx& g) { g.set(0, mul(g, g.dy(), conj(g, g.output()))); }

void expm1_grad(GradCtx& g) {
  g.after_dy();
  g.set(0, mul(g, g.dy(), g.add("Exp", {conj(g, g.input(0))})));
}

void log_grad(GradCtx& g) {
  g.after_dy();
  g.set(0, mul(g, g.dy(), reciprocal(g, conj(g, g.input(0)))));
}

void log1p_grad(GradCtx& g) {
  g.after_dy();
  const Output x = conj(g, g.input(0));
  const Tensor one = Input(1).value(base_type(x.dtype()));
  g.set(0, mul(g, g.dy(), reciprocal(g, add(g, one, x))));
}

void tanh_grad(GradCtx& g) { g.set(0, g.add("TanhGrad", {conj(g, g.output()), g.dy()})); }

void sigmoid_grad(GradCtx& g) { g.set(0, g.add("SigmoidGrad", {conj(g, g.output()), g.dy()})); }

}  // namespace

extern constexpr OpDecl kExp{
    .name = "Exp",
    .doc = "e to the power of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = exp_grad,
};
static_assert(well_formed(kExp));

extern constexpr OpDecl kExpm1{
    .name = "Expm1",
    .doc = "exp(x) - 1 without cancellation near 0.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = expm1_grad,
};
static_assert(well_formed(kExpm1));

extern constexpr OpDecl kLog{
    .name = "Log",
    .doc = "The natural logarithm of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = log_grad,
};
static_assert(well_formed(kLog));

extern constexpr OpDecl kLog1p{
    .name = "Log1p",
    .doc = "log(1 + x) without cancellation near 0.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = log1p_grad,
};
static_assert(well_formed(kLog1p));

extern constexpr OpDecl kTanh{
    .name = "Tanh",
    .doc = "The hyperbolic tangent of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = tanh_grad,
};
static_assert(well_formed(kTanh));

extern constexpr OpDecl kSigmoid{
    .name = "Sigmoid",
    .doc = "1 / (1 + exp(-x)).",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = sigmoid_grad,
};
static_assert(well_formed(kSigmoid));

}  // namespace rill
