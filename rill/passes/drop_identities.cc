#include "rill/passes/subgraph.h"

namespace rill {
namespace {

// An Identity of a reference is a read of the variable at that point, so it stays; so does one that
// waits for something else.
bool passes_through(const Subgraph& graph, const Subgraph::Item& item) {
  return item.is_plain() && item.node->op().has(kIdentity) && item.node->op().has(kPure) &&
         item.node->output_count() == 1 && item.inputs.size() == 1 && item.controls.empty() &&
         !is_ref(graph.dtype(item.inputs[0]));
}

}  // namespace

int drop_identities(Subgraph& graph) {
  int changed = 0;
  std::vector<Subgraph::Edge> source(graph.items.size());
  const auto resolve = [&](Subgraph::Edge& edge) {
    const auto& through = source[static_cast<std::size_t>(edge.item)];
    if (through.item >= 0) edge = through;
  };
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    auto& item = graph.items[i];
    for (auto& input : item.inputs) resolve(input);
    if (!passes_through(graph, item)) continue;
    source[i] = item.inputs[0];
    ++changed;
  }
  for (auto& fetch : graph.fetches) resolve(fetch);
  return changed;
}

}  // namespace rill
