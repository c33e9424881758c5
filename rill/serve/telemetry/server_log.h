#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/log.h"
#include "rill/net/call_record.h"
#include "rill/serve/metrics/metric.h"
#include "rill/serve/telemetry/line_file.h"

namespace rill::serve {

enum class LogFormat { kText, kJson };
// Throws InvalidArgument for what is neither "text" nor "json".
LogFormat log_format_of(std::string_view name);
// "info", "warning", "error"; "" is what TF_CPP_MIN_LOG_LEVEL says, or info.
LogLevel log_level_of(std::string_view name);

// A value of a line of the log, by name.
struct LogField {
  LogField(std::string_view given_name, std::string given_text)
      : name(given_name), text(std::move(given_text)) {}
  LogField(std::string_view given_name, const char* given_text)
      : name(given_name), text(given_text) {}
  LogField(std::string_view given_name, std::int64_t number)
      : name(given_name), text(std::to_string(number)), is_number(true) {}
  std::string_view name;
  std::string text;
  bool is_number = false;
};
using LogFields = std::vector<LogField>;

// One line without its end, of this moment: time, level, message, fields. As text
// `2026-11-19T04:00:00.000000Z INFO  message name=value`, or an object of JSON.
std::string log_line_text(LogFormat format, LogLevel level, std::string_view message,
                          const LogFields& fields);

// What a request came to, beside its record.
struct CallOutcome {
  std::string status;       // "200", "OK", "NotFound"
  std::int64_t bytes = -1;  // of the answer; negative: not known
  bool is_error = false;
};

// What a server tells of itself, to standard error and, of every request, to the access log. Safe
// from several threads at once.
class ServerLog {
 public:
  struct Options {
    LogFormat format = LogFormat::kText;
    LogLevel level = LogLevel::kInfo;
    std::string access_path;  // "": no access log; "-": standard error
  };
  // Throws what opening the access log throws.
  explicit ServerLog(const Options& options, Counter* lost = nullptr);

  void write(LogLevel level, std::string_view message, const LogFields& fields = {}) const;
  bool has_access_log() const { return access_ != nullptr; }
  void access(const net::CallRecord& record, const CallOutcome& outcome) const;
  // The access log was moved away: goes on in a new file.
  void reopen() const;
  void flush() const;

 private:
  const Options options_;
  std::unique_ptr<LineFile> access_;
};

}  // namespace rill::serve
