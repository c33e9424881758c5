#include "rill/base/log.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "rill/base/log_sink.h"

namespace rill {
namespace {

int threshold() {
  static const int level = [] {
    const char* text = std::getenv("TF_CPP_MIN_LOG_LEVEL");
    long long value = 1;
    if (text != nullptr) parse_int(text, &value);
    return static_cast<int>(value);
  }();
  return level;
}

struct SharedSink {
  std::mutex mutex;
  std::shared_ptr<const LogSink> sink;  // guarded by mutex
};
SharedSink& shared_sink() {
  static SharedSink& shared = *new SharedSink;  // who logs may do so until the very end
  return shared;
}

}  // namespace

void set_log_sink(LogSink sink) {
  auto shared = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  const std::lock_guard lock(shared_sink().mutex);
  shared_sink().sink.swap(shared);
}

bool log_enabled(LogLevel level) { return static_cast<int>(level) >= threshold(); }

bool log_topic_enabled(std::string_view topic) {
  static const std::string topics = [] {
    const char* text = std::getenv("RILL_LOG");
    return text == nullptr ? std::string() : std::string(text);
  }();
  if (topics.empty()) return false;
  for (auto name : split(topics, ','))
    if (name == topic) return true;
  return false;
}

void log_line(LogLevel level, std::string_view line) {
  std::shared_ptr<const LogSink> sink;
  {
    const std::lock_guard lock(shared_sink().mutex);
    sink = shared_sink().sink;
  }
  if (sink != nullptr) return (*sink)(level, line);
  const std::string text = str_cat(
      std::string_view("IWE").substr(static_cast<std::size_t>(level), 1), " rill: ", line, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void log_topic_line(std::string_view topic, std::string_view line) {
  const std::string text = str_cat(topic, ": ", line, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace rill
