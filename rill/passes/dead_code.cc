#include <algorithm>

#include "rill/passes/subgraph.h"

namespace rill {
namespace {

// More new edges than this are not worth one op less.
constexpr std::size_t kMaxNewEdges = 64;

void add_once(std::vector<int>& list, int item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// Per item: how many read its values, and which items have it as a control input.
struct ReaderCounts {
  explicit ReaderCounts(const Subgraph& graph)
      : values(graph.items.size()), waiting(graph.items.size()) {
    for (std::size_t i = 0; i < graph.items.size(); ++i) {
      for (const Subgraph::Edge& input : graph.items[i].inputs)
        ++values[static_cast<std::size_t>(input.item)];
      for (const int control : graph.items[i].controls)
        waiting[static_cast<std::size_t>(control)].push_back(static_cast<int>(i));
    }
    for (const Subgraph::Edge& fetch : graph.fetches)
      ++values[static_cast<std::size_t>(fetch.item)];
    for (const int target : graph.targets) ++values[static_cast<std::size_t>(target)];
  }
  std::vector<int> values;
  std::vector<std::vector<int>> waiting;
};

// A value from a Switch is dead in the branch not taken, but a control edge from the Switch itself
// is alive in both: replacing the node by its predecessor would lose which branch it is in.
bool reads_switch(const Subgraph& graph, const Subgraph::Item& item) {
  return std::ranges::any_of(item.inputs, [&](const Subgraph::Edge& input) {
    const Subgraph::Item& source = graph.items[static_cast<std::size_t>(input.item)];
    return source.is_plain() && source.node->op().has(kSwitch);
  });
}

std::vector<int> predecessors(const Subgraph::Item& item) {
  std::vector<int> before = item.controls;
  for (const Subgraph::Edge& input : item.inputs) add_once(before, input.item);
  return before;
}

}  // namespace

// Goes through the items from the last to the first. A pure item whose values nobody reads is
// dropped; the items that have it as a control input get its predecessors as control inputs, so
// they run after the same nodes as before and are dead in the same branches.
int dead_code(Subgraph& graph) {
  int changed = 0;
  ReaderCounts readers(graph);
  for (std::size_t i = graph.items.size();
       i-- > 0;) {  // backwards: chains of such items go as a whole
    Subgraph::Item& item = graph.items[i];
    std::vector<int>& waiting = readers.waiting[i];
    if (!item.is_plain() || !item.node->op().has(kPure) || readers.values[i] > 0 ||
        waiting.empty() || reads_switch(graph, item))
      continue;
    const std::vector<int> before = predecessors(item);
    if (before.size() * waiting.size() > kMaxNewEdges) continue;
    for (const int reader : waiting) {
      std::vector<int>& controls = graph.items[static_cast<std::size_t>(reader)].controls;
      std::erase(controls, static_cast<int>(i));
      for (const int earlier : before) {
        add_once(controls, earlier);
        add_once(readers.waiting[static_cast<std::size_t>(earlier)], reader);
      }
    }
    for (const Subgraph::Edge& input : item.inputs)
      --readers.values[static_cast<std::size_t>(input.item)];
    for (const int control : item.controls)
      std::erase(readers.waiting[static_cast<std::size_t>(control)], static_cast<int>(i));
    waiting.clear();
    item.inputs.clear();
    item.controls.clear();
    ++changed;
  }
  return changed;
}

}  // namespace rill
