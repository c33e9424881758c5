#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes binomial_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  return {known_dims(c, 2)};
}

}  // namespace

extern constexpr OpDecl kStatefulRandomBinomial{
    .name = "StatefulRandomBinomial",
    .doc =
        "How many of `counts` trials succeed when each does so with probability `probs`; the "
        "generator's state is a variable, which moves on.",
    .inputs = {"resource: resource", "algorithm: int64", "shape: S", "counts: T", "probs: T"},
    .outputs = {"output: dtype"},
    .attrs = {"S: {int32, int64}", "T: {half, float, double, int32, int64} = DT_DOUBLE",
              "dtype: {half, float, double, int32, int64} = DT_INT64"},
    .traits = kStateful,
    .shape = binomial_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStatefulRandomBinomial));

}  // namespace rill
