#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/graph/function_body.h"
#include "rill/passes/subgraph.h"

namespace rill {

// The bodies that stand in place of calls, one per call node, with nodes named after it. Kept by
// the session, so that the kernels of a body are the same in every signature. Safe from several
// threads.
class InlinedBodies {
 public:
  // nullptr when the node is no call, or one that must stay: of a function that asks for it, is
  // among `callers` or cannot be instantiated (which is an error only when it runs).
  const FunctionBody* find(const Node& node, std::span<const std::string> callers);

 private:
  std::mutex mutex_;
  std::unordered_map<const Node*, std::unique_ptr<const FunctionBody>> by_call_;
};

// The name of the function that a node calls, "" if it is no plain call.
std::string called_function(const Node& node);

// Replaces calls by the bodies of what they call, calls inside those included. What has effects
// waits for all arguments and for what the call waits for, and who waits for the call waits for it.
// Calls stay where branches or loops are, since there a whole call may be dead. Bodies run on
// the devices of their calls. Returns how many calls it replaced.
int inline_calls(Subgraph& graph, InlinedBodies& bodies);

}  // namespace rill
