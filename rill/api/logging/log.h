#pragma once

#include <functional>
#include <string>

#include "rill/base/text.h"

// tf.logging for the library's own lines: what training says about itself.
namespace rill::logging {

enum class Level { kDebug = 10, kInfo = 20, kWarning = 30, kError = 40, kFatal = 50 };

Level get_verbosity();
void set_verbosity(Level level);  // kWarning unless a program says otherwise

// Where lines go: standard error, as "INFO:tensorflow:line", unless another language has a logger.
// `wants` says whether lines of a level are shown.
struct Sink {
  std::function<bool(Level)> wants;
  std::function<void(Level, const std::string&)> write;
};
void set_sink(Sink sink);

bool enabled(Level level);
void write(Level level, const std::string& line);

template <class... Part>
void log(Level level, const Part&... part) {
  if (enabled(level)) write(level, str_cat(part...));
}
template <class... Part>
void info(const Part&... part) {
  log(Level::kInfo, part...);
}
template <class... Part>
void warning(const Part&... part) {
  log(Level::kWarning, part...);
}
template <class... Part>
void error(const Part&... part) {
  log(Level::kError, part...);
}

}  // namespace rill::logging
