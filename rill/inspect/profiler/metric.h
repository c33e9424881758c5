#pragma once

#include <cstdint>

#include "rill/inspect/profiler/profile_options.h"
#include "rill/inspect/profiler/profiled_node.h"

namespace rill::profiler {

// A figure that files for other programs show.
struct Metric {
  const char* select;  // its name in ProfileOptions::select
  const char* unit;
  std::int64_t (*value)(const Figures&);
};
// The one that is selected. Throws InvalidArgument for several and for what is no figure; `file` is
// what cannot be made then.
const Metric& only_metric(const ProfileOptions& options, const char* file);

}  // namespace rill::profiler
