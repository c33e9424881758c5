#include "rill/api/logging/log.h"

#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>

namespace rill::logging {
namespace {

std::atomic<Level> verbosity = Level::kWarning;

const char* level_name(Level level) {
  switch (level) {
    case Level::kDebug:
      return "DEBUG";
    case Level::kInfo:
      return "INFO";
    case Level::kWarning:
      return "WARNING";
    case Level::kError:
      return "ERROR";
    case Level::kFatal:
      return "CRITICAL";
  }
  return "INFO";
}

Sink standard_error() {
  return {.wants = [](Level level) { return level >= verbosity.load(); },
          .write =
              [](Level level, const std::string& line) {
                std::fprintf(stderr, "%s:tensorflow:%s\n", level_name(level), line.c_str());
              }};
}

// Whoever writes keeps the sink that it found.
struct SinkPlace {
  std::mutex mutex;
  std::shared_ptr<const Sink> sink = std::make_shared<const Sink>(standard_error());
};
SinkPlace& place() {
  static SinkPlace* const only = new SinkPlace;  // lines may come while the process ends
  return *only;
}
std::shared_ptr<const Sink> current_sink() {
  const std::lock_guard lock(place().mutex);
  return place().sink;
}

}  // namespace

Level get_verbosity() { return verbosity.load(); }
void set_verbosity(Level level) { verbosity = level; }

void set_sink(Sink sink) {
  auto next = std::make_shared<const Sink>(std::move(sink));
  const std::lock_guard lock(place().mutex);
  place().sink = std::move(next);
}

bool enabled(Level level) { return current_sink()->wants(level); }
void write(Level level, const std::string& line) { current_sink()->write(level, line); }

}  // namespace rill::logging
