#pragma once

#include <functional>
#include <string>

#include "rill/base/text.h"

// tf.logging: what a program says about itself.
namespace rill::logging {

enum class Level { DEBUG = 10, INFO = 20, WARN = 30, ERROR = 40, FATAL = 50 };

// The least level that is shown, of the whole process; WARN, unless the program said otherwise.
// These functions may be called from any thread.
Level get_verbosity();
void set_verbosity(Level level);
// Asks the listener where there is one, else compares with the verbosity.
bool is_shown(Level level);
// Writes "INFO:tensorflow:<text>" to standard error, or hands it to whoever listens. Does not ask
// whether the level is shown: log() does.
void log_text(Level level, const std::string& text);

// Another language that writes the log itself: told every line, asked what is shown.
struct Listener {
  std::function<bool(Level)> is_shown = {};
  std::function<void(Level, const std::string&)> write;
};
// Replaces the one before; an empty one writes to standard error again. It is called without a
// lock, from whichever thread logs.
void set_listener(Listener listener);

// Parts become text only where the line is shown.
template <class... Part>
void log(Level level, const Part&... part) {
  if (is_shown(level)) log_text(level, str_cat(part...));
}
template <class... Part>
void info(const Part&... part) {
  log(Level::INFO, part...);
}
template <class... Part>
void warning(const Part&... part) {
  log(Level::WARN, part...);
}
template <class... Part>
void error(const Part&... part) {
  log(Level::ERROR, part...);
}

}  // namespace rill::logging
