#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes stateful_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  (void)c.scalar(1);
  return {known_dims(c, 2)};
}

Shapes stateful_range_shape(const ShapeCtx& c) {
  (void)c.scalar(3);
  (void)c.scalar(4);
  return stateful_shape(c);
}

Shapes old_normal_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  return {known_dims(c, 1)};
}

Shapes ints_shape(const ShapeCtx& c) { return {known_dims(c, 0)}; }

Shapes skip_shape(const ShapeCtx& c) {
  for (int i = 0; i < 3; ++i) (void)c.scalar(i);
  return {};
}

}  // namespace

extern constexpr OpDecl kStatefulUniform{
    .name = "StatefulUniform",
    .doc = "Random values from [0, 1); the generator's state is a variable, which moves on.",
    .inputs = {"resource: resource", "algorithm: int64", "shape: shape_dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_FLOAT", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = stateful_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStatefulUniform));

extern constexpr OpDecl kStatefulUniformFullInt{
    .name = "StatefulUniformFullInt",
    .doc = "Random integers of any value; the generator's state is a variable, which moves on.",
    .inputs = {"resource: resource", "algorithm: int64", "shape: shape_dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_UINT64", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = stateful_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStatefulUniformFullInt));

extern constexpr OpDecl kStatefulUniformInt{
    .name = "StatefulUniformInt",
    .doc =
        "Random integers from [minval, maxval); the generator's state is a variable, which moves "
        "on.",
    .inputs = {"resource: resource", "algorithm: int64", "shape: shape_dtype", "minval: dtype",
               "maxval: dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_INT64", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = stateful_range_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStatefulUniformInt));

extern constexpr OpDecl kStatefulStandardNormal{
    .name = "StatefulStandardNormal",
    .doc = "As StatefulStandardNormalV2, with the algorithm as first element of the state.",
    .inputs = {"resource: resource", "shape: shape_dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_FLOAT", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = old_normal_shape,
    .grad = no_gradient,
    .deprecated = 29,
    .deprecated_why = "Use StatefulStandardNormalV2 instead",
};
static_assert(well_formed(kStatefulStandardNormal));

extern constexpr OpDecl kStatefulStandardNormalV2{
    .name = "StatefulStandardNormalV2",
    .doc =
        "Random values of the normal distribution with mean 0 and deviation 1; the generator's "
        "state is a variable, which moves on.",
    .inputs = {"resource: resource", "algorithm: int64", "shape: shape_dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_FLOAT", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = stateful_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStatefulStandardNormalV2));

extern constexpr OpDecl kStatefulTruncatedNormal{
    .name = "StatefulTruncatedNormal",
    .doc = "As StatefulStandardNormalV2, without values 2 or more from 0.",
    .inputs = {"resource: resource", "algorithm: int64", "shape: shape_dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_FLOAT", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = stateful_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStatefulTruncatedNormal));

extern constexpr OpDecl kRngSkip{
    .name = "RngSkip",
    .doc = "Moves the state of a generator, a variable, on as drawing `delta` values does.",
    .inputs = {"resource: resource", "algorithm: int64", "delta: int64"},
    .traits = kStateful,
    .shape = skip_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRngSkip));

extern constexpr OpDecl kNonDeterministicInts{
    .name = "NonDeterministicInts",
    .doc = "Integers that nobody can foretell.",
    .inputs = {"shape: shape_dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type = DT_INT64", "shape_dtype: type = DT_INT64"},
    .traits = kStateful,
    .shape = ints_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kNonDeterministicInts));

}  // namespace rill
