#pragma once

#include <functional>
#include <span>
#include <string>

#include "rill/passes/debug_options.h"
#include "rill/passes/subgraph.h"

namespace rill {

// What the pass must know of the devices: their names, and whether one can run a node.
struct WatchPlaces {
  std::span<const std::string> devices;
  std::function<bool(const Subgraph::Item&)> can_run;
  // Whether kernels of that device keep values in memory of its own. Its values are looked at on
  // the client's device.
  std::function<bool(int device)> has_own_memory;
};

// Adds to each watched output a copy, "__copy_NODE_SLOT", and for each debug op a node
// "__dbg_NODE:SLOT_K_OP" that publishes what it makes of the copy. Readers of the output wait for
// these nodes, so that dumps come in the order of the graph; they still read the output itself,
// which never changes. Expects a subgraph that no pass has rewritten, since only the program's
// nodes are known by name. Returns how many outputs are watched. Throws FailedPrecondition for "*"
// with a slot, another node with a negative one, and a debug op that cannot be made;
// InvalidArgument for a malformed op.
int watch_tensors(Subgraph& graph, const DebugOptions& options, const WatchPlaces& places);

}  // namespace rill
