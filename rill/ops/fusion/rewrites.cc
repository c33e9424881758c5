#include "rill/ops/fusion/rewrites.h"

#include "rill/ops/fusion/elementwise_chains.h"
#include "rill/ops/fusion/fused_updates.h"
#include "rill/ops/fusion/unbroadcast.h"
#include "rill/passes/relax_control_edges.h"

namespace rill {

extern const Rewrite kIdentityTransposesRewrite, kLayerNormGradRewrite, kGeluGradRewrite,
    kSoftmaxGradRewrite, kBatchNormReluGradRewrite, kShapeReadersRewrite, kGeluRewrite,
    kLayerNormRewrite, kMaskedSoftmaxRewrite, kLstmCellRewrite, kLstmCellGradRewrite,
    kGruCellGradRewrite, kProductColumnsRewrite, kLoopStacksRewrite, kGruCellRewrite,
    kRnnLayerRewrite, kProductSumsRewrite, kProductSlicesRewrite, kConvEpilogueRewrite,
    kDepthwiseEpilogueRewrite, kMatMulEpilogueRewrite, kBatchNormEpilogueRewrite,
    kPrepackFiltersRewrite, kLowerPrecisionRewrite, kAdamMoveRewrite;

std::span<const Rewrite* const> standard_rewrites() {
  static const std::vector<const Rewrite*> rewrites = {
      &kRelaxControlEdgesRewrite, &kUnbroadcastRewrite, &kIdentityTransposesRewrite,
      // Gradients before the forward pass: their patterns read values that forward fusion hides.
      &kLayerNormGradRewrite, &kGeluGradRewrite, &kSoftmaxGradRewrite, &kBatchNormReluGradRewrite,
      &kShapeReadersRewrite, &kGeluRewrite, &kLayerNormRewrite, &kMaskedSoftmaxRewrite,
      &kLstmCellRewrite, &kLstmCellGradRewrite, &kGruCellGradRewrite, &kProductColumnsRewrite,
      &kLoopStacksRewrite, &kGruCellRewrite, &kRnnLayerRewrite, &kProductSumsRewrite,
      &kProductSlicesRewrite, &kConvEpilogueRewrite, &kDepthwiseEpilogueRewrite,
      &kMatMulEpilogueRewrite, &kBatchNormEpilogueRewrite, &kPrepackFiltersRewrite,
      &kLowerPrecisionRewrite, &kAdamMoveRewrite,
      // Fusions of specific patterns before those that take any op.
      &kElementwiseChainsRewrite, &kFusedUpdatesRewrite};
  return rewrites;
}

}  // namespace rill
