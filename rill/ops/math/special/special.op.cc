#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

constexpr double kTwoOverRootPi = 1.1283791670955126;

void gaussian_grad(GradCtx& g, double factor) {
  const Output scale = number(g, factor, g.dy().dtype());
  const Output scaled = mul(g, g.dy(), scale);
  g.after_dy();
  const Output bell = g.add("Exp", {neg(g, square(g, conj(g, g.input(0))))});
  g.set(0, mul(g, scaled, bell));
}

void erf_grad(GradCtx& g) { gaussian_grad(g, kTwoOverRootPi); }
void erfc_grad(GradCtx& g) { gaussian_grad(g, -kTwoOverRootPi); }

void lgamma_grad(GradCtx& g) {
  g.after_dy();
  g.set(0, mul(g, g.dy(), g.add("Digamma", {conj(g, g.input(0))})));
}

void digamma_grad(GradCtx& g) {
  g.after_dy();
  const Output x = conj(g, g.input(0));
  const Output slope = g.add("Polygamma", {number(g, 1, x.dtype()), x});
  g.set(0, mul(g, g.dy(), slope));
}

}  // namespace

extern constexpr OpDecl kErf{
    .name = "Erf",
    .doc = "The error function of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = per_output<kTranscendental>,
    .grad = erf_grad,
};
static_assert(well_formed(kErf));

extern constexpr OpDecl kErfc{
    .name = "Erfc",
    .doc = "1 - erf(x) without cancellation.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = erfc_grad,
};
static_assert(well_formed(kErfc));

extern constexpr OpDecl kLgamma{
    .name = "Lgamma",
    .doc = "The logarithm of the absolute value of the gamma function of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = lgamma_grad,
};
static_assert(well_formed(kLgamma));

extern constexpr OpDecl kDigamma{
    .name = "Digamma",
    .doc = "The derivative of Lgamma at x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = digamma_grad,
};
static_assert(well_formed(kDigamma));

}  // namespace rill
