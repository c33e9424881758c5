#include "rill/passes/side_effect_frontier.h"

#include "rill/base/subscript.h"
#include "rill/passes/effects.h"

namespace rill {
namespace {

constexpr std::size_t kMaxVisited = 2048, kMaxFound = 24;

}  // namespace

SideEffectFrontier::SideEffectFrontier(const Subgraph& graph, const std::vector<int>& regions)
    : graph_(graph), regions_(regions) {
  for (std::size_t i = 0; i < graph.items.size(); ++i)
    if (graph.items[i].is_plain() && graph.items[i].node->op().has(kNextIteration))
      loop_bodies_.insert(regions[i]);
  if (loop_bodies_.empty()) return;
  successors_.resize(graph.items.size());
  for (int i = 0; at(i) < graph.items.size(); ++i) {
    for (const Subgraph::Edge& input : graph.items[at(i)].inputs)
      successors_[at(input.item)].push_back(i);
    for (const int control : graph.items[at(i)].controls) successors_[at(control)].push_back(i);
  }
}

std::optional<std::vector<int>> SideEffectFrontier::in_loop(int item) const {
  if (!loop_bodies_.contains(regions_[at(item)])) return std::nullopt;
  std::set<int> seen{item}, found;
  std::vector<int> stack{item};
  while (!stack.empty()) {
    const int from = stack.back();
    stack.pop_back();
    for (const int next : successors_[at(from)]) {
      if (!seen.insert(next).second) continue;
      const Subgraph::Item& reader = graph_.items[at(next)];
      if (seen.size() > kMaxVisited || next < from || regions_[at(next)] < 0) return std::nullopt;
      if (!reader.is_plain()) continue;  // fed or constant: it does not depend on its inputs
      if (!has_side_effects(graph_, next) || is_group(reader)) {
        stack.push_back(next);
        continue;
      }
      // A Merge runs when one of its branches is dead, so it cannot wait for what is in that one.
      if (reader.node->op().has(kMerge) || found.size() == kMaxFound) return std::nullopt;
      found.insert(next);
    }
  }
  return std::vector<int>(found.begin(), found.end());
}

}  // namespace rill
