#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes accidental_hits_shape(const ShapeCtx& c) {
  const auto num_true = c.attr<std::int64_t>("num_true");
  const std::int64_t columns = c.matrix(0).second;
  require(compatible(columns, num_true), "Dimension must be ", num_true, " but is ", columns);
  (void)c.vector(1);
  return {{kUnknownDim}, {kUnknownDim}, {kUnknownDim}};
}

}  // namespace

extern constexpr OpDecl kComputeAccidentalHits{
    .name = "ComputeAccidentalHits",
    .doc =
        "Where a true class is among the sampled ones: the row, the place in sampled_candidates "
        "and "
        "the lowest float, which takes its logit out of a softmax.",
    .inputs = {"true_classes: int64", "sampled_candidates: int64"},
    .outputs = {"indices: int32", "ids: int64", "weights: float"},
    .attrs = {"num_true: int", "seed: int = 0", "seed2: int = 0"},
    .traits = kPure | kDataDependentShape,
    .shape = accidental_hits_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kComputeAccidentalHits));

}  // namespace rill
