#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes stated_shape(const ShapeCtx& c) { return {known_dims(c, 0)}; }

Shapes range_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  (void)c.scalar(2);
  return stated_shape(c);
}

}  // namespace

extern constexpr OpDecl kRandomUniform{
    .name = "RandomUniform",
    .doc = "Random values from [0, 1), all equally likely.",
    .inputs = {"shape: T"},
    .outputs = {"output: dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "dtype: {half, bfloat16, float, double}",
              "T: {int32, int64}"},
    .traits = kStateful,
    .shape = stated_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kRandomUniform));

extern constexpr OpDecl kRandomUniformInt{
    .name = "RandomUniformInt",
    .doc = "Random integers from [minval, maxval), nearly equally likely.",
    .inputs = {"shape: T", "minval: Tout", "maxval: Tout"},
    .outputs = {"output: Tout"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "Tout: {int32, int64}", "T: {int32, int64}"},
    .traits = kStateful,
    .shape = range_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRandomUniformInt));

extern constexpr OpDecl kRandomStandardNormal{
    .name = "RandomStandardNormal",
    .doc = "Random values of the normal distribution with mean 0 and deviation 1.",
    .inputs = {"shape: T"},
    .outputs = {"output: dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "dtype: {half, bfloat16, float, double}",
              "T: {int32, int64}"},
    .traits = kStateful,
    .shape = stated_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kRandomStandardNormal));

extern constexpr OpDecl kTruncatedNormal{
    .name = "TruncatedNormal",
    .doc =
        "Random values of the normal distribution with mean 0 and deviation 1; those 2 or more "
        "from 0 are drawn again.",
    .inputs = {"shape: T"},
    .outputs = {"output: dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "dtype: {half, bfloat16, float, double}",
              "T: {int32, int64}"},
    .traits = kStateful,
    .shape = stated_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTruncatedNormal));

}  // namespace rill
