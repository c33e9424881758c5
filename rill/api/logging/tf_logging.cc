#include "rill/api/logging/tf_logging.h"

#include <atomic>
#include <cstdio>
#include <mutex>

namespace rill::logging {
namespace {

std::atomic<Level> shown_from = Level::WARN;

struct Listening {
  std::mutex mutex;
  Listener listener;
};
Listening& listening() {
  static Listening& state = *new Listening;  // outlives everything that may log
  return state;
}
Listener listener() {
  const std::lock_guard lock(listening().mutex);
  return listening().listener;
}

const char* level_name(Level level) {
  switch (level) {
    case Level::DEBUG:
      return "DEBUG";
    case Level::INFO:
      return "INFO";
    case Level::WARN:
      return "WARNING";
    case Level::ERROR:
      return "ERROR";
    case Level::FATAL:
      return "CRITICAL";
  }
  return "INFO";
}

}  // namespace

Level get_verbosity() { return shown_from; }
void set_verbosity(Level level) { shown_from = level; }

bool is_shown(Level level) {
  const Listener other = listener();
  return other.is_shown ? other.is_shown(level) : level >= shown_from.load();
}

void log_text(Level level, const std::string& text) {
  if (const Listener other = listener(); other.write) return other.write(level, text);
  const std::string line = str_cat(level_name(level), ":tensorflow:", text, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void set_listener(Listener listener) {
  const std::lock_guard lock(listening().mutex);
  listening().listener = std::move(listener);
}

}  // namespace rill::logging
