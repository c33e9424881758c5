#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// tf.tensordot, and with it tf.layers.dense of more than two dimensions, turns its operands even
// where that changes nothing; so do its gradients.
bool changes_nothing(const Pattern& p, int i) {
  if (!p.is(i, "Transpose") || !p.item(i).controls.empty() ||
      is_ref(p.graph.dtype(p.input(i, 0))) || !p.shape(p.input(i, 0)).has_rank())
    return false;
  const auto& perm = p.item(p.input(i, 1).item).constant;
  if (!perm || perm->element_count() != p.shape(p.input(i, 0)).rank()) return false;
  for (std::int64_t d = 0; d < perm->element_count(); ++d)
    if ((perm->dtype() == DType::i32 ? perm->data<std::int32_t>()[d]
                                     : perm->data<std::int64_t>()[d]) != d)
      return false;
  return true;
}

int drop_identity_transposes(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Transpose"})) return 0;
  Pattern p(graph, nodes);
  std::vector<Edge> source(graph.items.size());
  int dropped = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!changes_nothing(p, i)) continue;
    const Edge from = p.input(i, 0);
    const Edge& before = source[static_cast<std::size_t>(from.item)];
    source[static_cast<std::size_t>(i)] = before.item >= 0 ? before : from;
    ++dropped;
  }
  if (dropped > 0)
    redirect(graph, [&](Edge edge) {
      const Edge& from = source[static_cast<std::size_t>(edge.item)];
      return from.item >= 0 ? from : edge;
    });
  return dropped;
}

}  // namespace

extern const Rewrite kIdentityTransposesRewrite{
    "identity_transposes", "Transpose that leaves all dimensions in their order is dropped",
    drop_identity_transposes};

}  // namespace rill
