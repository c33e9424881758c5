#include "rill/base/log.h"

#include <cstdio>
#include <cstdlib>

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

}  // namespace

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
  const std::string text = str_cat(
      std::string_view("IWE").substr(static_cast<std::size_t>(level), 1), " rill: ", line, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void log_topic_line(std::string_view topic, std::string_view line) {
  const std::string text = str_cat(topic, ": ", line, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace rill
