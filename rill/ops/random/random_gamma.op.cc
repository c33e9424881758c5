#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

// Samples for each alpha: the stated shape followed by that of alpha.
Shapes gamma_shape(const ShapeCtx& c) {
  PartialShape out = known_dims(c, 0);
  const PartialShape& alpha = c.input(1);
  if (!out.has_rank() || !alpha.has_rank()) return {PartialShape()};
  for (int d = 0; d < alpha.rank(); ++d) out.add_dim(alpha.dim(d));
  return {out};
}

// tf.ones([count]).
Output vector_of_ones(GradCtx& g, Output count) {
  Scope scope = g.scope().named("ones");
  const Output shape =
      scope.add("Pack", {InputArg(std::vector<Input>{count})}, {}, "packed").output();
  const Output one = scope.constant(Tensor::scalar<std::int32_t>(1));
  return scope.add("Fill", {shape, one}, {}, scope.name() + "/").output();
}

// Samples move with alpha; what arrives for all samples of one alpha adds up.
void gamma_grad(GradCtx& g) {
  const Output shape = g.input(0), alpha = g.input(1), sample = g.output();
  g.after_dy();
  const Output sample_rank = slice_vector(g, shape_of(g, shape), 0, 1, true);
  const Output ones = vector_of_ones(g, sample_rank);
  const Output column = reshape(g, alpha, concat(g, {ones, shape_of(g, alpha)}));
  const Output slope = g.add("RandomGammaGrad", {column, sample});
  const Output axes = range(g, 0, sample_rank, 1);
  g.set(1, g.add("Sum", {mul(g, g.dy(), slope), axes}));
}

}  // namespace

extern constexpr OpDecl kRandomGamma{
    .name = "RandomGamma",
    .doc = "Random values of the gamma distributions of shape alpha and rate 1.",
    .inputs = {"shape: S", "alpha: T"},
    .outputs = {"output: T"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "S: {int32, int64}", "T: {half, float, double}"},
    .traits = kStateful,
    .shape = gamma_shape,
    .grad = gamma_grad,
};
static_assert(well_formed(kRandomGamma));

extern constexpr OpDecl kRandomGammaGrad{
    .name = "RandomGammaGrad",
    .doc = "How fast a sample of the gamma distribution moves with alpha.",
    .inputs = {"alpha: T", "sample: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double}"},
    .traits = kPure,
    .shape = broadcast_inputs,
    .grad = no_gradient,
};
static_assert(well_formed(kRandomGammaGrad));

}  // namespace rill
