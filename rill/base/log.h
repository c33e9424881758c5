#pragma once

#include <string_view>

#include "rill/base/text.h"

namespace rill {

// Quiet by default: TF_CPP_MIN_LOG_LEVEL (0 info, 1 warning, 2 error, 3 none) sets the threshold,
// and when it is unset only warnings and errors are shown. RILL_LOG names topics ("kernel,plan")
// whose detail is printed whatever the level.
enum class LogLevel { kInfo = 0, kWarning = 1, kError = 2 };

bool log_enabled(LogLevel level);
bool log_topic_enabled(std::string_view topic);
void log_line(LogLevel level, std::string_view line);  // to standard error
void log_topic_line(std::string_view topic, std::string_view line);

template <class... Part>
void log(LogLevel level, const Part&... part) {
  if (log_enabled(level)) log_line(level, str_cat(part...));
}

}  // namespace rill
