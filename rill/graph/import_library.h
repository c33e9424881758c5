#pragma once

#include "rill/graph/graph.h"

namespace tensorflow {
class FunctionDefLibrary;
}

namespace rill {

// Adds the functions and gradients of `library` to the edited graph's. Those that are there already
// must be the same; throws InvalidArgument otherwise, or when a definition contradicts itself.
void import_library(GraphEdit& edit, const tensorflow::FunctionDefLibrary& library, int producer);

}  // namespace rill
