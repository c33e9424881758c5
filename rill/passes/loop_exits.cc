#include "rill/passes/loop_exits.h"

#include <algorithm>
#include <map>
#include <string>

#include "rill/base/subscript.h"

namespace rill {
namespace {

bool is(const Subgraph::Item& item, Traits trait) {
  return item.is_plain() && item.node->op().has(trait);
}

// The Enter that a value of a loop's first iteration comes from; -1 where it is not found.
int enter_of(const Subgraph& graph, int item) {
  constexpr int kMaxHops = 16;  // Exit, Switch, Merge, Enter, and what may stand between them
  for (int hop = 0; hop < kMaxHops && item >= 0; ++hop) {
    const Subgraph::Item& here = graph.items[at(item)];
    if (is(here, kEnter)) return item;
    if (!here.is_plain() || here.inputs.empty()) return -1;
    const auto forward = std::ranges::find_if(here.inputs, [&](const Subgraph::Edge& input) {
      return input.item >= 0 && !is(graph.items[at(input.item)], kNextIteration);
    });
    if (forward == here.inputs.end()) return -1;
    item = forward->item;
  }
  return -1;
}

}  // namespace

LoopExits::LoopExits(const Subgraph& graph) {
  const auto leaves = [](const Subgraph::Item& item) { return is(item, kExit); };
  if (std::ranges::none_of(graph.items, leaves)) return;
  loop_of_.resize(graph.items.size(), -1);
  std::map<std::string, int> numbers;
  const auto loop_around = [&](int item) {
    const int enter = enter_of(graph, item);
    if (enter < 0) return -1;
    const auto& name = graph.items[at(enter)].node->attr<std::string>("frame_name");
    const auto [it, is_new] = numbers.emplace(name, static_cast<int>(next_iterations_.size()));
    if (is_new) next_iterations_.emplace_back();
    return it->second;
  };
  for (int i = 0; at(i) < graph.items.size(); ++i) {
    const Subgraph::Item& item = graph.items[at(i)];
    if (leaves(item)) loop_of_[at(i)] = loop_around(i);
    if (!is(item, kMerge)) continue;
    for (const Subgraph::Edge& input : item.inputs)
      if (input.item >= 0 && is(graph.items[at(input.item)], kNextIteration))
        if (const int loop = loop_around(i); loop >= 0)
          next_iterations_[at(loop)].push_back(input.item);
  }
}

std::span<const int> LoopExits::before(int exit) const {
  if (loop_of_.empty() || loop_of_[at(exit)] < 0) return {};
  return next_iterations_[at(loop_of_[at(exit)])];
}

}  // namespace rill
