#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes parameterized_shape(const ShapeCtx& c) {
  for (int i = 1; i < 5; ++i) {
    const PartialShape& parameter = c.input(i);
    require(!parameter.has_rank() || parameter.rank() <= 1,
            "Shape must be at most rank 1 but is rank ", parameter.rank());
  }
  return {known_dims(c, 0)};
}

}  // namespace

extern constexpr OpDecl kParameterizedTruncatedNormal{
    .name = "ParameterizedTruncatedNormal",
    .doc =
        "Random values of normal distributions cut to [minvals, maxvals], whose parameters may "
        "differ along the first dimension.",
    .inputs = {"shape: T", "means: dtype", "stdevs: dtype", "minvals: dtype", "maxvals: dtype"},
    .outputs = {"output: dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "dtype: {half, bfloat16, float, double}",
              "T: {int32, int64}"},
    .traits = kStateful,
    .shape = parameterized_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kParameterizedTruncatedNormal));

}  // namespace rill
