#pragma once

#include <string>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/passes/debug_options.h"

namespace rill::debugger {

// Which outputs of a graph are watched, and how: those that match every pattern, or with `denies`
// those that match none. Patterns are regular expressions that match at the beginning of the node's
// name, its op, or its type ("float32", "int32_ref").
struct WatchOptions {
  std::vector<std::string> debug_ops = {"DebugIdentity"};
  std::string node_name = {}, op_type = {}, tensor_dtype = {};  // "": any
  bool denies = false;
  bool tolerates_failures = false;
};

// Watches of all such outputs of the graph. Without patterns, what a run adds (arguments and the
// like) is watched as well.
//
//   RunOptions options{.debug = debugger::watch_graph(graph, {"file:///tmp/dump"})};
DebugOptions watch_graph(const Graph& graph, const std::vector<std::string>& urls,
                         const WatchOptions& options = {});

}  // namespace rill::debugger
