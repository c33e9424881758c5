#include "rill/runtime/plan/loop_tree.h"

#include "rill/base/error.h"
#include "rill/runtime/plan/frame_layout.h"

namespace rill {
namespace {

bool is_item_with(const Subgraph& graph, int item, std::uint64_t trait) {
  return item >= 0 && graph.items[at(item)].is_plain() &&
         graph.items[at(item)].node->op().has(trait);
}

// The Merge that a loop's variable goes through has the loop's NextIteration for an input.
bool is_loop_merge(const Subgraph& graph, int item) {
  if (!is_item_with(graph, item, kMerge)) return false;
  for (const auto& input : graph.items[at(item)].inputs)
    if (is_item_with(graph, input.item, kNextIteration)) return true;
  return false;
}

}  // namespace

LoopTree::LoopTree(const Subgraph& graph) : loops(1) {
  std::map<std::pair<int, std::string>, int> children;
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const Subgraph::Item& item = graph.items[i];
    int loop = 0;
    const auto see = [&](int source) {  // feeds and constants are seen everywhere
      if (at(source) < i && graph.items[at(source)].is_plain()) loop = arrives[at(source)];
    };
    for (const int control : item.controls) see(control);
    for (const auto& input : item.inputs) see(input.item);
    runs_in.push_back(loop);
    if (is_item_with(graph, static_cast<int>(i), kEnter)) {
      const auto& name = item.node->attr<std::string>("frame_name");
      const auto [it, fresh] =
          children.emplace(std::pair(loop, name), static_cast<int>(loops.size()));
      if (fresh)
        loops.push_back(
            {.name = name,
             .parent = loop,
             .parallel_iterations = item.node->attr<std::int64_t>("parallel_iterations")});
      loop = it->second;
    } else if (is_item_with(graph, static_cast<int>(i), kExit)) {
      loop = loops[at(loop)].parent;
    }
    arrives.push_back(loop);
    if (is_item_with(graph, static_cast<int>(i), kSwitch) && loops[at(loop)].condition.item < 0 &&
        is_loop_merge(graph, item.inputs[0].item))
      loops[at(loop)].condition = item.inputs[1];
  }
}

}  // namespace rill
