#include <algorithm>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes broadcast_to_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  PartialShape out = known_dims(c, 1);
  if (!input.has_rank() || !out.has_rank()) return {out};
  require(input.rank() <= out.rank(), "Rank of input (", input.rank(),
          ") must be no greater than rank of output shape (", out.rank(), ").");
  const int shift = out.rank() - input.rank();
  for (int d = 0; d < input.rank(); ++d) {
    const std::int64_t from = input.dim(d), to = out.dim(d + shift);
    require(from == 1 || compatible(from, to),
            when_run("Incompatible shapes: ", input, " vs. ", out),
            when_built("Dimensions must be equal, but are ", from, " and ", to));
    if (from > 1) out = out.with_dim(d + shift, from);
  }
  return {out};
}

Shapes broadcast_args_shape(const ShapeCtx& c) {
  const std::int64_t a = c.vector(0).dim(0), b = c.vector(1).dim(0);
  return {PartialShape{a < 0 || b < 0 ? kUnknownDim : std::max(a, b)}};
}

Shapes broadcast_gradient_args_shape(const ShapeCtx& c) {
  (void)c.vector(0);
  (void)c.vector(1);
  return {PartialShape{kUnknownDim}, PartialShape{kUnknownDim}};
}

void broadcast_to_grad(GradCtx& g) {
  const Output shape = shape_of(g, g.input(0));
  const Output given = cast(g, g.input(1), DType::i32);
  Node& axes = g.scope().add("BroadcastGradientArgs", {given, shape});
  const Output sum = g.add("Sum", {g.dy(), axes.output(1)}, {{"keep_dims", true}});
  g.set(0, reshape(g, sum, shape));
}

}  // namespace

extern constexpr OpDecl kBroadcastTo{
    .name = "BroadcastTo",
    .doc = "Repeats dimensions of 1 until the shape is `shape`.",
    .inputs = {"input: T", "shape: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = broadcast_to_shape,
    .grad = broadcast_to_grad,
};
static_assert(well_formed(kBroadcastTo));

extern constexpr OpDecl kBroadcastArgs{
    .name = "BroadcastArgs",
    .doc = "The shape that two shapes broadcast to.",
    .inputs = {"s0: T", "s1: T"},
    .outputs = {"r0: T"},
    .attrs = {"T: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = broadcast_args_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBroadcastArgs));

extern constexpr OpDecl kBroadcastGradientArgs{
    .name = "BroadcastGradientArgs",
    .doc = "The dimensions to sum over, for each of two shapes, to undo their broadcasting.",
    .inputs = {"s0: T", "s1: T"},
    .outputs = {"r0: T", "r1: T"},
    .attrs = {"T: {int32, int64} = DT_INT32"},
    .traits = kPure | kDataDependentShape,
    .shape = broadcast_gradient_args_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kBroadcastGradientArgs));

}  // namespace rill
