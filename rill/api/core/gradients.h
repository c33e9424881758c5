#pragma once

#include <source_location>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/grad/gradients.h"

namespace rill {

// gradients() in the default graph: the sum of d y / d x over all ys, for each x. An empty Gradient
// where no y depends on the x (options.unconnected makes it zeros); rows (IndexedSlices) where only
// some rows of the x were read.
//
//   Gradient g = gradients({loss}, {w})[0];
//
// Throws InvalidArgument when grad_ys do not fit the ys, NotFound where an op on the way has no
// gradient.
std::vector<Gradient> gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                const GradientOptions& options = {},
                                std::source_location at = std::source_location::current());

}  // namespace rill
