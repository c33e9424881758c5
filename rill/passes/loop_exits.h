#pragma once

#include <span>
#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// An Exit runs after all iterations of its loop, but its inputs do not show that: the back edge
// from NextIteration to Merge is left out when items are walked in order. This class adds what is
// missing: for each Exit the NextIterations that come before it.
class LoopExits {
 public:
  explicit LoopExits(const Subgraph& graph);

  // The NextIterations of the loop that item `exit` leaves; none for other items.
  std::span<const int> before(int exit) const;

 private:
  std::vector<int> loop_of_;  // per item: the loop that an Exit leaves, else -1
  std::vector<std::vector<int>> next_iterations_;  // per loop
};

}  // namespace rill
