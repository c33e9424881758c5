#include <algorithm>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// The condition has the shape of the branches, or is a scalar, or a vector that chooses rows.
Shapes select_shape(const ShapeCtx& c) {
  const PartialShape& condition = c.input(0);
  const auto same = [&](int i, int j) {
    if (c.input(i).is_compatible(c.input(j))) return;
    require(false,
            when_run("Inputs to operation Select of type Select must have the same size and ",
                     "shape.  Input ", i, ": ", c.input(i), " != input ", j, ": ", c.input(j)),
            when_built(merge_refusal(c.input(std::max(i, j)), c.input(std::min(i, j)))));
  };
  same(1, 2);
  const PartialShape output = c.input(1).merged(c.input(2));
  if (!condition.has_rank() || condition.rank() == 0 || !output.has_rank()) return {output};
  if (condition.rank() == 1 && output.rank() != 1) {
    require(output.rank() > 0,
            when_run("'then' must be at least a vector, but saw shape: ", output),
            when_built("Shapes must be equal rank, but are 0 and 1"));
    require(
        compatible(condition.dim(0), output.dim(0)),
        when_run("Number of batches of 'then' must match size of 'cond', but saw: ", output.dim(0),
                 " vs. ", condition.dim(0)),
        when_built("Dimensions must be equal, but are ", output.dim(0), " and ", condition.dim(0)));
    return {output};
  }
  same(0, 1);
  same(0, 2);
  return {output.merged(condition)};
}

Shapes select_v2_shape(const ShapeCtx& c) {
  return {broadcast(c.input(0), broadcast(c.input(1), c.input(2)))};
}

void select_grad(GradCtx& g) {
  const Output c = g.input(0), zeros = zeros_like(g, g.input(1));
  g.set(1, g.add("Select", {c, g.dy(), zeros}));
  g.set(2, g.add("Select", {c, zeros, g.dy()}));
}

void select_v2_grad(GradCtx& g) {
  const Output c = g.input(0), dy = g.dy();
  const Output zeros = g.scope().constant(Tensor::zeros(base_type(dy.dtype()), {}), "zeros");
  const auto back_to = [&](int i, Output gradient) {
    const Output shape = shape_of(g, g.input(i)), out_shape = shape_of(g, g.output());
    Node& axes = g.scope().add("BroadcastGradientArgs", {shape, out_shape});
    const Output sum = g.add("Sum", {gradient, axes.output(0)}, {{"keep_dims", true}});
    g.set(i, reshape(g, sum, shape));
  };
  const Output then = g.add("SelectV2", {c, dy, zeros});
  const Output otherwise = g.add("SelectV2", {c, zeros, dy});
  back_to(1, then);
  back_to(2, otherwise);
}

}  // namespace

extern constexpr OpDecl kSelect{
    .name = "Select",
    .doc =
        "Elements of t where the condition holds and of e elsewhere; a vector condition chooses "
        "whole rows.",
    .inputs = {"condition: bool", "t: T", "e: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kElementwise,
    .shape = select_shape,
    .grad = select_grad,
};
static_assert(well_formed(kSelect));

extern constexpr OpDecl kSelectV2{
    .name = "SelectV2",
    .doc = "Elements of t where the condition holds and of e elsewhere, with broadcasting.",
    .inputs = {"condition: bool", "t: T", "e: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kElementwise,
    .shape = select_v2_shape,
    .grad = select_v2_grad,
};
static_assert(well_formed(kSelectV2));

}  // namespace rill
