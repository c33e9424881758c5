#pragma once

#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// The control-flow region of each item. Items of one region are in the same branches and loops, so
// in every iteration either all of them run or none does (they are dead); independent items may
// only be fused inside one region. Region 0 is outside of all branches and loops; -1 is unknown:
// inputs come from two regions of which neither contains the other.
std::vector<int> find_regions(const Subgraph& graph);

// Numbers the items by which blocking items (those for which `may_block` is true) come before them:
// equal numbers mean the same set. An item that blocks, say on a queue, may need what another item
// of the same step enqueues; fusing items with different numbers could therefore deadlock.
std::vector<int> find_blocking_sets(const Subgraph& graph, bool (*may_block)(const Node&));

}  // namespace rill
