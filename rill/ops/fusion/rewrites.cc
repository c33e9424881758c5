#include "rill/ops/fusion/rewrites.h"

#include "rill/ops/fusion/rewrites.gen.h"

namespace rill {

std::span<const Rewrite* const> standard_rewrites() {
  static constexpr const Rewrite* rewrites[] = {
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
  static_assert(std::size(rewrites) == kRewriteCount,
                "every rewrite that rill/ops/fusion defines has its place in this order");
  return rewrites;
}

}  // namespace rill
