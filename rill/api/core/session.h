#pragma once

#include <memory>

#include "rill/api/core/default_graph.h"
#include "rill/runtime/session/session.h"

namespace rill {

// Lets a Session be opened without naming a graph: it then runs the default one.
inline std::shared_ptr<Graph> default_graph_for(const SessionOptions&) { return default_graph(); }

}  // namespace rill
