#pragma once

#include <vector>

#include "rill/passes/subgraph.h"

namespace rill {

// Which items live and die together. Items of one region are in the same branches and loops, so
// that in every round either all of them run or none does; only then may independent ones become
// one. Region 0 is outside of all branches and loops; -1 is where two that are not in each other
// meet, of which nothing is known.
std::vector<int> find_regions(const Subgraph& graph);

// Which items can start at the same time as far as others make them wait: those with the same
// number stand behind the same items of which `waits` is true. One that waits for a queue may wait
// for what another item of the step puts there, so that items with different numbers stay apart.
std::vector<int> find_waits(const Subgraph& graph, bool (*waits)(const Node&));

}  // namespace rill
