#include "rill/ops/fusion/rewrites.h"

#include "rill/ops/fusion/elementwise_chains.h"
#include "rill/ops/fusion/unbroadcast.h"
#include "rill/ops/fusion/updates_together.h"
#include "rill/passes/relax_control_edges.h"

namespace rill {

extern const Rewrite kDropIdentityTransposes, kFuseLayerNormGrad, kFuseGeluGrad, kFuseSoftmaxGrad,
    kFuseBatchNormReluGrad, kMoveShapeReaders, kFuseGelu, kFuseLayerNorm, kFuseMaskedSoftmax,
    kFuseLstm, kFuseLstmGrad, kFuseGruGrad, kCutProducts, kDropStacks, kFuseGru, kFuseLayers,
    kSumProducts, kSliceProducts, kFuseConv, kFuseDepthwise, kFuseMatMul, kFuseBatchNorm,
    kKeepFilters, kLowerPrecision, kFuseAdamMove;

std::span<const Rewrite* const> standard_rewrites() {
  static const std::vector<const Rewrite*> rewrites = {
      &kRelaxControlEdges, &kUnbroadcastRewrite, &kDropIdentityTransposes,
      // Gradients first: they read what is forgotten when the forward part is one node.
      &kFuseLayerNormGrad, &kFuseGeluGrad, &kFuseSoftmaxGrad, &kFuseBatchNormReluGrad,
      &kMoveShapeReaders, &kFuseGelu, &kFuseLayerNorm, &kFuseMaskedSoftmax, &kFuseLstm,
      &kFuseLstmGrad, &kFuseGruGrad, &kCutProducts, &kDropStacks, &kFuseGru, &kFuseLayers,
      &kSumProducts, &kSliceProducts, &kFuseConv, &kFuseDepthwise, &kFuseMatMul, &kFuseBatchNorm,
      &kKeepFilters, &kLowerPrecision, &kFuseAdamMove,
      // Those of patterns stand before those that take whatever is left.
      &kElementwiseChains, &kUpdatesTogether};
  return rewrites;
}

}  // namespace rill
