#pragma once

#include <optional>
#include <set>
#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// Finds the nearest successors of an item that have side effects: on each path from it the first.
// If each of them depends on the item's control inputs, the item itself need not wait for these.
class SideEffectFrontier {
 public:
  SideEffectFrontier(const Subgraph& graph, const std::vector<int>& regions);

  // Nothing where there are too many, where one of them may be in another branch, and for items
  // outside of loops, where moving edges gains nothing.
  std::optional<std::vector<int>> in_loop(int item) const;

 private:
  const Subgraph& graph_;
  const std::vector<int>& regions_;
  std::set<int> loop_bodies_;  // regions that are the whole body of a loop
  std::vector<std::vector<int>>
      successors_;  // per item, by data and control edges; empty in a graph without loops
};

}  // namespace rill
