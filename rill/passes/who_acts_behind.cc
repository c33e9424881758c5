#include "rill/passes/who_acts_behind.h"

#include "rill/base/subscript.h"
#include "rill/passes/effects.h"

namespace rill {
namespace {

constexpr std::size_t kMostSeen = 2048, kMostFound = 24;

}  // namespace

WhoActsBehind::WhoActsBehind(const Subgraph& graph, const std::vector<int>& regions)
    : graph_(graph), regions_(regions) {
  for (std::size_t i = 0; i < graph.items.size(); ++i)
    if (graph.items[i].is_plain() && graph.items[i].node->op().has(kNextIteration))
      rounds_.insert(regions[i]);
  if (rounds_.empty()) return;
  after_.resize(graph.items.size());
  for (int i = 0; at(i) < graph.items.size(); ++i) {
    for (const Subgraph::Edge& input : graph.items[at(i)].inputs)
      after_[at(input.item)].push_back(i);
    for (const int control : graph.items[at(i)].controls) after_[at(control)].push_back(i);
  }
}

std::optional<std::vector<int>> WhoActsBehind::in_loop(int item) const {
  if (!rounds_.contains(regions_[at(item)])) return std::nullopt;
  std::set<int> seen{item}, found;
  std::vector<int> stack{item};
  while (!stack.empty()) {
    const int from = stack.back();
    stack.pop_back();
    for (const int next : after_[at(from)]) {
      if (!seen.insert(next).second) continue;
      const Subgraph::Item& reader = graph_.items[at(next)];
      if (seen.size() > kMostSeen || next < from || regions_[at(next)] < 0) return std::nullopt;
      if (!reader.is_plain()) continue;  // cut off: it has its value from elsewhere
      if (is_calm(graph_, next) || is_group(reader)) {
        stack.push_back(next);
        continue;
      }
      // Where branches meet one of them is dead.
      if (reader.node->op().has(kMerge) || found.size() == kMostFound) return std::nullopt;
      found.insert(next);
    }
  }
  return std::vector<int>(found.begin(), found.end());
}

}  // namespace rill
