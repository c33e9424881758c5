#pragma once

#include <span>
#include <vector>

#include "rill/passes/loop_exits.h"

namespace rill {

// Whether the op's kernel may block, say on a queue.
bool may_block(const Node& node);

// Sets of items that may become one each: nothing outside of a set stands between its members.
class ItemGroups {
 public:
  explicit ItemGroups(const Subgraph& graph)
      : graph_(graph),
        ends_(graph),
        group_of_(graph.items.size(), -1),
        seen_(graph.items.size(), 0) {}

  void add_alone(int item);
  // Joins the group of `item` with that of `other`, which comes before it; does nothing when what
  // lies between them, or the size, does not allow it.
  void join(int item, int other);

  // Takes groups apart until none needs another one that needs it: each may be one alone, and two
  // together still not. To be called last.
  void break_circles();

  int group_of(int item) const { return group_of_[static_cast<std::size_t>(item)]; }
  // In the order of the items; empty for groups that were joined to others.
  std::span<const std::vector<int>> members() const { return members_; }

 private:
  bool is_closed(const std::vector<int>& members);

  const Subgraph& graph_;
  const LoopExits ends_;
  std::vector<int> group_of_;
  std::vector<std::vector<int>> members_;
  std::vector<int> seen_;  // the number of the search that came here last
  int search_ = 0;
};

}  // namespace rill
