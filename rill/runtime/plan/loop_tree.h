#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// Which loop each item of a subgraph belongs to; loop 0 is the step itself.
struct LoopTree {
  struct Loop {
    std::string name;
    int parent = 0;
    std::int64_t parallel_iterations = 1;
    Subgraph::Edge condition;  // decides on another iteration; item -1: none found
  };
  explicit LoopTree(const Subgraph& graph);

  std::vector<Loop> loops;
  std::vector<int> runs_in;  // per item
  std::vector<int>
      arrives;  // per item: where its outputs are seen, which differs for Enter and Exit
};

}  // namespace rill
