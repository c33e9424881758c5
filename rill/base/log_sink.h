#pragma once

#include <functional>
#include <string_view>

#include "rill/base/log.h"

namespace rill {

// Has log() hand its lines to `sink` instead of writing them to standard error; empty: writes them
// again. May be called from several threads at once, as the sink is.
using LogSink = std::function<void(LogLevel level, std::string_view line)>;
void set_log_sink(LogSink sink);

}  // namespace rill
