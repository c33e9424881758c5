#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// The shape of what is sampled from inputs 0 and 1.
PartialShape sampled_shape(const ShapeCtx& c) {
  const PartialShape data = c.with_rank(0, 4), warp = c.input(1);
  if (!warp.has_rank()) return {};
  require(warp.rank() >= 2, "warp should be at least a matrix, got shape ", warp);
  require(compatible(warp.dim(0), data.dim(0)),
          "Batch size of data and warp tensor must be the same, but got input shapes: ", data, ", ",
          warp);
  const int last = warp.rank() - 1;
  require(compatible(warp.dim(last), 2),
          "the last dimension of warp must be exactly size 2, but got ", warp);
  return warp.with_dim(0, merge_dim(data.dim(0), warp.dim(0))).with_dim(last, data.dim(3));
}

Shapes resampler_shape(const ShapeCtx& c) { return {sampled_shape(c)}; }

Shapes resampler_grad_shape(const ShapeCtx& c) {
  const PartialShape sampled = sampled_shape(c), grad = c.input(2);
  require(sampled.is_compatible(grad), "grad_output must have the shape ", sampled, ", not ", grad);
  return {c.with_rank(0, 4), c.input(1)};
}

void resampler_grad(GradCtx& g) {
  Node& grads = g.scope().add("ResamplerGrad", {g.input(0), g.input(1), g.dy(0)});
  g.set(0, grads.output(0));
  g.set(1, grads.output(1));
}

}  // namespace

extern constexpr OpDecl kResampler{
    .name = "Resampler",
    .doc =
        "The values of images at the places (x, y) of `warp`, mixed from their four neighbours; "
        "outside of the image is 0.",
    .inputs = {"data: T", "warp: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = resampler_shape,
    .grad = resampler_grad,
};
static_assert(well_formed(kResampler));

extern constexpr OpDecl kResamplerGrad{
    .name = "ResamplerGrad",
    .doc = "The gradients of Resampler for its images and places.",
    .inputs = {"data: T", "warp: T", "grad_output: T"},
    .outputs = {"grad_data: T", "grad_warp: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = resampler_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResamplerGrad));

}  // namespace rill
