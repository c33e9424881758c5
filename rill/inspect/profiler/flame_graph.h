#pragma once

#include <string>

#include "rill/inspect/profiler/report.h"

namespace rill::profiler {

// A view as a flame graph: a picture (SVG) in which each row is a bar as wide as the one figure
// that is selected, on top of the row that it belongs to. Browsers say what a bar is when it is
// pointed at, and widen it when it is clicked. Throws InvalidArgument for the op view, which is no
// tree, and for several figures.
std::string flame_graph(ViewKind kind, const Row& root, const ProfileOptions& options);

}  // namespace rill::profiler
