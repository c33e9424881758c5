#pragma once

#include <memory>

#include "rill/graph/graph.h"

namespace rill {

// The default graph around the functions that are being built: the innermost one that is not the
// body of a function.
const std::shared_ptr<Graph>& outermost_graph();

}  // namespace rill
