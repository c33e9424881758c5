#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes multinomial_shape(const ShapeCtx& c) {
  const std::int64_t rows = c.matrix(0).first;
  (void)c.scalar(1);
  std::int64_t samples = kUnknownDim;
  if (c.int_value(1, &samples))
    require(samples >= 0, when_run("num_samples should be nonnegative, got ", samples),
            when_built("Dimension size, given by scalar input 1, must be non-negative but is ",
                       samples));
  return {{rows, samples}};
}

Shapes stateless_multinomial_shape(const ShapeCtx& c) {
  const PartialShape seed = c.vector(2);
  require(compatible(seed.dim(0), 2), "seed must have shape [2], not ", seed);
  return multinomial_shape(c);
}

}  // namespace

extern constexpr OpDecl kMultinomial{
    .name = "Multinomial",
    .doc = "For each row of logits num_samples classes, drawn with probability softmax(logits).",
    .inputs = {"logits: T", "num_samples: int32"},
    .outputs = {"output: output_dtype"},
    .attrs = {"seed: int = 0", "seed2: int = 0", "T: realnumbertype",
              "output_dtype: {int32, int64} = DT_INT64"},
    .traits = kStateful,
    .shape = multinomial_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kMultinomial));

extern constexpr OpDecl kStatelessMultinomial{
    .name = "StatelessMultinomial",
    .doc = "As Multinomial; the same classes for the same seed.",
    .inputs = {"logits: T", "num_samples: int32", "seed: Tseed"},
    .outputs = {"output: output_dtype"},
    .attrs = {"T: realnumbertype", "Tseed: {int32, int64} = DT_INT64",
              "output_dtype: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = stateless_multinomial_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStatelessMultinomial));

}  // namespace rill
