#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// The logits before a product with a constant that only they take part in; else as they are.
Edge before_scale(const Pattern& p, Edge edge, double* scale, std::vector<int>& fused) {
  const int i = p.only_for(edge, {"Mul", "RealDiv"});
  if (i < 0) return edge;
  for (int k = 0; k < (p.is(i, "Mul") ? 2 : 1); ++k) {
    double constant = 0;
    const Edge factor = p.input(i, 1 - k);
    if (!p.scalar(factor, &constant) || p.shape(factor).rank() != 0) continue;
    *scale = p.is(i, "Mul") ? constant : 1 / constant;
    fused.push_back(i);
    return p.input(i, k);
  }
  return edge;
}

// The sum of logits and a mask: attention's is scores and something broadcast over heads.
int sum_before(const Pattern& p, Edge edge) {
  const int sum = p.only_for(edge, {"Add", "AddV2"});
  if (sum < 0) return -1;
  const PartialShape a = p.shape(p.input(sum, 0)), b = p.shape(p.input(sum, 1));
  return a.has_rank() && b.has_rank() && a.rank() > 0 && b.rank() > 0 ? sum : -1;
}

int fuse_masked_softmax(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Softmax"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "Softmax") || graph.dtype({i, 0}) != DType::f32) continue;
    std::vector<int> fused;
    std::vector<Edge> inputs{p.input(i, 0)};
    double scale = 1;
    const int sum = sum_before(p, inputs[0]);
    if (sum >= 0) {
      fused.push_back(sum);
      // The operand with a constant factor holds the logits.
      for (int k = 0; k < 2 && fused.size() < 2; ++k)
        inputs = {before_scale(p, p.input(sum, k), &scale, fused), p.input(sum, 1 - k)};
      if (fused.size() < 2) inputs = {p.input(sum, 0), p.input(sum, 1)};
    } else {
      inputs[0] = before_scale(p, inputs[0], &scale, fused);
    }
    if (fused.empty()) continue;
    p.put(i, "_MaskedSoftmax", inputs,
          {{"T", DType::f32},
           {"num_masks", static_cast<std::int64_t>(inputs.size()) - 1},
           {"scale", static_cast<float>(scale)}},
          fused);
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kMaskedSoftmaxRewrite{
    "masked_softmax", "softmax(scale logits + mask) becomes _MaskedSoftmax", fuse_masked_softmax};

}  // namespace rill
