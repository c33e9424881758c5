#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void relu_grad(GradCtx& g) { g.set(0, g.add("ReluGrad", {g.dy(), g.output()})); }
void relu6_grad(GradCtx& g) { g.set(0, g.add("Relu6Grad", {g.dy(), g.output()})); }

void leaky_relu_grad(GradCtx& g) {
  g.set(0, g.add("LeakyReluGrad", {g.dy(), g.input(0)}, {{"alpha", g.attr<float>("alpha")}}));
}

// The slopes do not depend on the features.
void constant_slope_grad(GradCtx& g, const char* op, AttrMap attrs = {}) {
  const Output x = g.input(1);
  g.set(0, g.add(op, {g.dy(), x}, std::move(attrs)));
  g.set(1, zeros_like(g, x));
}

void relu_grad_grad(GradCtx& g) { constant_slope_grad(g, "ReluGrad"); }
void relu6_grad_grad(GradCtx& g) { constant_slope_grad(g, "Relu6Grad"); }
void leaky_relu_grad_grad(GradCtx& g) {
  constant_slope_grad(g, "LeakyReluGrad", {{"alpha", g.attr<float>("alpha")}});
}

}  // namespace

extern constexpr OpDecl kRelu{
    .name = "Relu",
    .doc = "The larger of x and 0.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64, qint8}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = relu_grad,
};
static_assert(well_formed(kRelu));

extern constexpr OpDecl kReluGrad{
    .name = "ReluGrad",
    .doc = "The gradients where the features are above 0, else 0.",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = relu_grad_grad,
};
static_assert(well_formed(kReluGrad));

extern constexpr OpDecl kRelu6{
    .name = "Relu6",
    .doc = "x, but not below 0 nor above 6.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = relu6_grad,
};
static_assert(well_formed(kRelu6));

extern constexpr OpDecl kRelu6Grad{
    .name = "Relu6Grad",
    .doc = "The gradients where the features are between 0 and 6, else 0.",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = relu6_grad_grad,
};
static_assert(well_formed(kRelu6Grad));

extern constexpr OpDecl kLeakyRelu{
    .name = "LeakyRelu",
    .doc = "x where it is above 0, else alpha * x.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"alpha: float = 0.2", "T: {half, bfloat16, float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = leaky_relu_grad,
};
static_assert(well_formed(kLeakyRelu));

extern constexpr OpDecl kLeakyReluGrad{
    .name = "LeakyReluGrad",
    .doc = "The gradients where the features are above 0, else alpha times them.",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"alpha: float = 0.2", "T: {half, bfloat16, float, double} = DT_FLOAT"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
    .grad = leaky_relu_grad_grad,
};
static_assert(well_formed(kLeakyReluGrad));

}  // namespace rill
