#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes layer_norm_shape(const ShapeCtx& c) {
  const PartialShape x = c.with_rank_at_least(0, 1);
  const std::int64_t width = x.has_rank() ? x.dim(x.rank() - 1) : kUnknownDim;
  for (int i = 1; i < 3; ++i) {
    const std::int64_t size = c.vector(i).dim(0);
    require(compatible(size, width), "rows of ", width, " elements are scaled by ", size);
  }
  return {x};
}

Shapes layer_norm_grad_shape(const ShapeCtx& c) {
  const PartialShape x = merge_shapes(c.with_rank_at_least(0, 1), c.with_rank_at_least(1, 1));
  const std::int64_t width = x.has_rank() ? x.dim(x.rank() - 1) : kUnknownDim;
  const std::int64_t size = c.vector(2).dim(0);
  require(compatible(size, width), "rows of ", width, " elements are scaled by ", size);
  const PartialShape vector{merge_dim(size, width)};
  return {x, vector, vector};
}

// Logits, then perhaps a mask that broadcasts to them.
Shapes masked_softmax_shape(const ShapeCtx& c) {
  PartialShape logits = c.with_rank_at_least(0, 1);
  if (c.input_count() == 2) logits = broadcast(logits, c.input(1));
  return {logits};
}

}  // namespace

extern constexpr OpDecl kLayerNorm{
    .name = "_LayerNorm",
    .doc =
        "Brings the rows of x, its last dimension, to mean zero and deviation one, times gamma, "
        "plus beta. Graph rewriting makes it.",
    .inputs = {"x: T", "gamma: T", "beta: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {float}", "epsilon: float = 0.001"},
    .traits = kPure | kInPlace,
    .shape = layer_norm_shape,
    .cost = per_input<8>,
    .grad = no_gradient,
};
static_assert(well_formed(kLayerNorm));

extern constexpr OpDecl kLayerNormGrad{
    .name = "_LayerNormGrad",
    .doc =
        "The gradients of _LayerNorm, which are found from x again without its results. Graph "
        "rewriting makes it.",
    .inputs = {"dy: T", "x: T", "gamma: T"},
    .outputs = {"dx: T", "dgamma: T", "dbeta: T"},
    .attrs = {"T: {float}", "epsilon: float = 0.001"},
    .traits = kPure | kInPlace,
    .shape = layer_norm_grad_shape,
    .cost = per_input<18>,
    .grad = no_gradient,
};
static_assert(well_formed(kLayerNormGrad));

extern constexpr OpDecl kMaskedSoftmax{
    .name = "_MaskedSoftmax",
    .doc =
        "softmax(scale * logits + mask), without a mask if none is given. Graph rewriting makes "
        "it.",
    .inputs = {"logits: T", "mask: num_masks * T"},
    .outputs = {"softmax: T"},
    .attrs = {"T: {float}", "num_masks: int >= 0", "scale: float = 1.0"},
    .traits = kPure,
    .shape = masked_softmax_shape,
    .cost = per_input<kTranscendental + 5>,
    .grad = no_gradient,
};
static_assert(well_formed(kMaskedSoftmax));

extern constexpr OpDecl kSoftmaxGrad{
    .name = "_SoftmaxGrad",
    .doc =
        "scale (dy - sum(dy y)) y along the last dimension: the gradient of y = softmax(scale "
        "logits). Graph rewriting makes it.",
    .inputs = {"dy: T", "y: T"},
    .outputs = {"dlogits: T"},
    .attrs = {"T: {float}", "scale: float = 1.0"},
    .traits = kPure | kInPlace,
    .shape = [](const ShapeCtx& c) -> Shapes {
      return {merge_shapes(c.with_rank_at_least(0, 1), c.with_rank_at_least(1, 1))};
    },
    .cost = per_input<5>,
    .grad = no_gradient,
};
static_assert(well_formed(kSoftmaxGrad));

}  // namespace rill
