#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes stateless_shape(const ShapeCtx& c) {
  const PartialShape seed = c.vector(1);
  require(compatible(seed.dim(0), 2), "seed must have shape [2], not ", seed);
  return {known_dims(c, 0)};
}

Shapes stateless_range_shape(const ShapeCtx& c) {
  (void)c.scalar(2);
  (void)c.scalar(3);
  return stateless_shape(c);
}

}  // namespace

extern constexpr OpDecl kStatelessRandomUniform{
    .name = "StatelessRandomUniform",
    .doc = "Random values from [0, 1), the same ones for the same seed.",
    .inputs = {"shape: T", "seed: Tseed"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: {half, bfloat16, float, double} = DT_FLOAT", "T: {int32, int64} = DT_INT32",
              "Tseed: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = stateless_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStatelessRandomUniform));

extern constexpr OpDecl kStatelessRandomNormal{
    .name = "StatelessRandomNormal",
    .doc = "Random values of the normal distribution, the same ones for the same seed.",
    .inputs = {"shape: T", "seed: Tseed"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: {half, bfloat16, float, double} = DT_FLOAT", "T: {int32, int64} = DT_INT32",
              "Tseed: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = stateless_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStatelessRandomNormal));

extern constexpr OpDecl kStatelessTruncatedNormal{
    .name = "StatelessTruncatedNormal",
    .doc =
        "Random values of the normal distribution without those 2 or more from 0, the same ones "
        "for the same seed.",
    .inputs = {"shape: T", "seed: Tseed"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: {half, bfloat16, float, double} = DT_FLOAT", "T: {int32, int64} = DT_INT32",
              "Tseed: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = stateless_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStatelessTruncatedNormal));

extern constexpr OpDecl kStatelessRandomUniformInt{
    .name = "StatelessRandomUniformInt",
    .doc = "Random integers from [minval, maxval), the same ones for the same seed.",
    .inputs = {"shape: T", "seed: Tseed", "minval: dtype", "maxval: dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: {int32, int64}", "T: {int32, int64}", "Tseed: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = stateless_range_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStatelessRandomUniformInt));

}  // namespace rill
