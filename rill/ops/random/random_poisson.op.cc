#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

// Samples for each rate: the stated shape followed by that of rate.
Shapes poisson_shape(const ShapeCtx& c) {
  PartialShape out = known_dims(c, 0);
  const PartialShape& rate = c.input(1);
  if (!out.has_rank() || !rate.has_rank()) return {PartialShape()};
  for (int d = 0; d < rate.rank(); ++d) out.add_dim(rate.dim(d));
  return {out};
}

}  // namespace

extern constexpr OpDecl kRandomPoisson{
    .name = "RandomPoisson",
    .doc = "As RandomPoissonV2, with samples of the type of the rates.",
    .inputs = {"shape: S", "rate: dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "S: {int32, int64}",
              "dtype: {half, float, double}"},
    .traits = kStateful,
    .shape = poisson_shape,
    .grad = no_gradient,
    .deprecated = 25,
    .deprecated_why = "Replaced by RandomPoissonV2",
};
static_assert(well_formed(kRandomPoisson));

extern constexpr OpDecl kRandomPoissonV2{
    .name = "RandomPoissonV2",
    .doc = "Random values of the Poisson distributions of these rates.",
    .inputs = {"shape: S", "rate: R"},
    .outputs = {"output: dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "S: {int32, int64}",
              "R: {half, float, double, int32, int64} = DT_DOUBLE",
              "dtype: {half, float, double, int32, int64} = DT_INT64"},
    .traits = kStateful,
    .shape = poisson_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRandomPoissonV2));

}  // namespace rill
