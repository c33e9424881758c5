#pragma once

#include <span>
#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// What leaves a loop comes after all rounds, though its inputs do not say so: the way from one
// round to the next goes back to a Merge, and walks along inputs leave that out.
class LoopEnds {
 public:
  explicit LoopEnds(const Subgraph& graph);

  // The NextIterations of the loop that item `exit` leaves; none for other items.
  std::span<const int> before(int exit) const;

 private:
  std::vector<int> loop_of_;                   // per item: which loop it leaves, -1: none
  std::vector<std::vector<int>> next_rounds_;  // per loop
};

}  // namespace rill
