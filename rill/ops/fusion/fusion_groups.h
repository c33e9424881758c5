#pragma once

#include <span>
#include <vector>

#include "rill/passes/loop_exits.h"

namespace rill {

// Whether the op's kernel may block, say on a queue.
bool may_block(const Node& node);

// Groups of items, each of which may be fused to one node. A group is convex: no path from a member
// to another leads through an item outside of it.
class FusionGroups {
 public:
  explicit FusionGroups(const Subgraph& graph)
      : graph_(graph),
        exits_(graph),
        group_of_(graph.items.size(), -1),
        seen_(graph.items.size(), 0) {}

  void add_alone(int item);
  // Merges the groups of `item` and of `other`, which comes before it. Does nothing if the result
  // would not be convex or would be too large.
  void join(int item, int other);

  // Splits groups until the graph of groups has no cycle: each group may be convex by itself while
  // two of them depend on each other. To be called last.
  void break_cycles();

  int group_of(int item) const { return group_of_[static_cast<std::size_t>(item)]; }
  // In the order of the items; empty for groups that were joined to others.
  std::span<const std::vector<int>> members() const { return members_; }

 private:
  bool is_closed(const std::vector<int>& members);

  const Subgraph& graph_;
  const LoopExits exits_;
  std::vector<int> group_of_;
  std::vector<std::vector<int>> members_;
  std::vector<int> seen_;  // the number of the search that came here last
  int search_ = 0;
};

}  // namespace rill
