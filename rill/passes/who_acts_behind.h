#pragma once

#include <optional>
#include <set>
#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// Finds who can tell when a value was made: of those behind a calm item the first that are not
// calm. If they wait for what the item waits for, the item need not.
class WhoActsBehind {
 public:
  WhoActsBehind(const Subgraph& graph, const std::vector<int>& regions);

  // Nothing where they are many, or one of them may be in another branch. Only of items in a loop:
  // elsewhere nothing would be gained.
  std::optional<std::vector<int>> in_loop(int item) const;

 private:
  const Subgraph& graph_;
  const std::vector<int>& regions_;
  std::set<int> rounds_;  // regions that are all of a loop's round
  std::vector<std::vector<int>>
      after_;  // per item: who reads it or waits for it; without loops none
};

}  // namespace rill
