#pragma once

#include <string>

#include "rill/graph/graph.h"

namespace rill::debugger {

// Tells an EventListener at "HOST:PORT" where the program made the nodes of its graph, and sends
// the text of these files. Throws Unavailable where nobody answers.
void send_sources(const Graph& graph, const std::string& address, const std::string& call);

}  // namespace rill::debugger
