#pragma once

#include "rill/api/replicas/strategy.h"

namespace rill::distribute {

// Builds the replicas of `strategy` on a thread each, of which one runs at a time: replicas may
// stop in the middle of a function of the program, to merge.
void build_on_threads(const StrategyRef& strategy,
                      const std::function<void(ReplicaContext&)>& build);
// The only replica, on this thread.
void build_here(const StrategyRef& strategy, const std::function<void(ReplicaContext&)>& build);

}  // namespace rill::distribute
