#include "tensorflow/core/platform/logging.h"

#include <atomic>
#include <cstdlib>
#include <map>

#include "rill/base/error.h"
#include "rill/base/log.h"
#include "tensorflow/core/platform/eigen_assert.h"

namespace tensorflow::internal {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// "file=2,other=1": the level of files by name, without folder and extension.
std::map<std::string, int, std::less<>> parse_vmodule() {
  std::map<std::string, int, std::less<>> levels;
  const std::string text = environment("TF_CPP_VMODULE");
  for (const std::string_view part : rill::split(text, ',')) {
    const auto at = part.find('=');
    long long level = 0;
    if (at != part.npos && rill::parse_int(part.substr(at + 1), &level))
      levels.emplace(part.substr(0, at), static_cast<int>(level));
  }
  return levels;
}

int min_log_level() {
  static const int level = [] {
    long long number = 0;
    rill::parse_int(environment("TF_CPP_MIN_LOG_LEVEL"), &number);
    return static_cast<int>(number);
  }();
  return level;
}

std::string_view stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return path.substr(0, path.find('.'));
}

}  // namespace

LogMessage::~LogMessage() {
  const auto level = static_cast<rill::LogLevel>(severity_);
  // The program's own words are shown as TensorFlow shows them, which keeps nothing back unless it
  // is told to; whoever asks for a VLOG level wants to see it.
  if (severity_ < min_log_level() && MinVLogLevel() == 0) return;
  rill::log_line(level, rill::str_cat(stem(fname_), ":", line_, "] ", text_.str()));
}

int64 LogMessage::MinVLogLevel() {
  static const int64 level = [] {
    long long number = 0;
    rill::parse_int(environment("TF_CPP_MIN_VLOG_LEVEL"), &number);
    return number;
  }();
  return level;
}

bool LogMessage::VmoduleActivated(const char* fname, int level) {
  if (level <= MinVLogLevel()) return true;
  static const auto& levels = *new std::map(parse_vmodule());
  const auto it = levels.find(stem(fname));
  return it != levels.end() && it->second >= level;
}

LogMessageFatal::~LogMessageFatal() noexcept(false) {
  throw rill::Error(rill::Code::kInternal, rill::str_cat(fname_, ":", line_, " ", text_.str()));
}

void EigenAssertFailed(const char* condition, const char* file, int line) {
  raise(rill::Code::kInternal, "Eigen: ", condition, " does not hold (", file, ":", line, ")");
}

[[noreturn]] void IndexOutOfRange(long long index, int axis, long long size);  // tensor_types.h
void IndexOutOfRange(long long index, int axis, long long size) {
  raise(rill::Code::kOutOfRange, "index ", index, " of dimension ", axis,
        " is outside of the tensor, which has ", size, " there");
}

}  // namespace tensorflow::internal
