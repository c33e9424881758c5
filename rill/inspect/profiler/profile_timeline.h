#pragma once

#include "rill/inspect/profiler/report.h"

namespace rill::profiler {

// Files for chrome://tracing, OUTFILE_STEP: of the graph view what ran when on which device, of
// scope and code how the time of a row divides among those below it. The op view has none.
void write_timelines(const ProfiledModel& model, ViewKind kind, const Row& root,
                     const ProfileOptions& options);

}  // namespace rill::profiler
