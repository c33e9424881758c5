#pragma once

#include "rill/inspect/profiler/report.h"

namespace rill::profiler {

// Writes the code view as pprof reads it, gzip and all: a sample for each node, weighed by the one
// figure that is selected. Throws InvalidArgument for other views and for several figures.
void write_pprof(ViewKind kind, const Row& root, const ProfileOptions& options);

}  // namespace rill::profiler
