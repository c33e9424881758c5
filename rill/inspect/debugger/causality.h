#pragma once

#include <span>

#include "rill/inspect/debugger/debug_graph.h"
#include "rill/inspect/debugger/dump_datum.h"

namespace rill::debugger {

// Throws InvalidArgument when one of a device's dumps, given in their order, is of a node that the
// graph does not have, or came before a dump of what the node reads. What comes from the iteration
// before is not held to that, and a Merge needs one of its inputs only.
void check_order(const DebugGraph& graph, std::span<const DumpDatum* const> dumps);

}  // namespace rill::debugger
