#include "rill/ops/fusion/layer_norm_match.h"

namespace rill {
namespace {

int fuse_layer_norm(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Rsqrt", "Sqrt"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, {"Add", "AddV2"})) continue;
    LayerNormMatch match(p);
    if (!match.match(i) || !p.readers.inside(match.items(), i)) continue;
    p.put(i, "_LayerNorm", {match.x, match.gamma, match.beta},
          {{"T", DType::f32}, {"epsilon", static_cast<float>(match.epsilon)}}, match.items());
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kLayerNormRewrite{
    "layer_norm", "mean, variance, scale and offset of rows become _LayerNorm", fuse_layer_norm};

}  // namespace rill
