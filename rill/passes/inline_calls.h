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

// Function bodies instantiated for inlining, one per call node, with nodes named after the call.
// The session owns them, so that a body has the same kernels (and their state) in every signature.
// Safe from several threads.
class InlinedBodies {
 public:
  // nullptr when the node is no call, or one that is not inlined: its function has `_noinline`, is
  // among `callers` (recursion) or cannot be instantiated (an error only when it runs).
  const FunctionBody* find(const Node& node, std::span<const std::string> callers);

 private:
  std::mutex mutex_;
  std::unordered_map<const Node*, std::unique_ptr<const FunctionBody>> by_call_;
};

// The name of the function that a node calls, "" if it is no plain call.
std::string called_function(const Node& node);

// Function inlining: replaces calls by the bodies of their functions, recursively. Order is kept:
// nodes of a body with side effects get control edges from all arguments and from the call's
// control inputs, and successors of the call get control edges from them. Graphs with branches or
// loops keep their calls, since a call may be dead as a whole. Bodies run on the devices of their
// calls. Returns how many calls were replaced.
int inline_calls(Subgraph& graph, InlinedBodies& bodies);

}  // namespace rill
