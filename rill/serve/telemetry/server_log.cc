#include "rill/serve/telemetry/server_log.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/serve/telemetry/json_quote.h"

namespace rill::serve {
namespace {

std::string time_text(std::int64_t micros) {
  const std::time_t seconds = micros / 1'000'000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 48> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%06lldZ",
                static_cast<long long>(micros % 1'000'000));
  return text.data();
}

const char* level_name(LogLevel level, LogFormat format) {
  const bool is_json = format == LogFormat::kJson;
  if (level == LogLevel::kInfo) return is_json ? "info" : "INFO ";
  if (level == LogLevel::kWarning) return is_json ? "warning" : "WARN ";
  return is_json ? "error" : "ERROR";
}

bool is_plain(std::string_view text) {
  return !text.empty() && text.find_first_of(" \"=\\") == std::string_view::npos &&
         text == escaped(text);
}

void add_access_fields(const net::CallRecord& record, const CallOutcome& outcome,
                       LogFields* fields) {
  fields->emplace_back("method", record.method);
  fields->emplace_back("status", outcome.status);
  fields->emplace_back("micros", (monotonic_nanos() - record.received_nanos) / 1000);
  if (outcome.bytes >= 0) fields->emplace_back("bytes", outcome.bytes);
  if (!record.model.empty()) fields->emplace_back("model", record.model);
  if (record.version != 0) fields->emplace_back("version", record.version);
  if (!record.signature.empty()) fields->emplace_back("signature", record.signature);
  if (record.run_ended_nanos != 0)
    fields->emplace_back("run_micros", (record.run_ended_nanos - record.run_began_nanos) / 1000);
  fields->emplace_back("request_id", record.id);
  if (!record.traceparent.empty()) fields->emplace_back("traceparent", record.traceparent);
  fields->emplace_back("peer", record.peer);
}

}  // namespace

LogFormat log_format_of(std::string_view name) {
  require(name == "text" || name == "json", "--log_format is text or json, not ", name);
  return name == "json" ? LogFormat::kJson : LogFormat::kText;
}

LogLevel log_level_of(std::string_view name) {
  const char* const wanted = std::getenv("TF_CPP_MIN_LOG_LEVEL");
  if (name.empty() && wanted != nullptr)
    name = std::string_view(wanted) == "0"   ? "info"
           : std::string_view(wanted) == "1" ? "warning"
                                             : "error";
  if (name.empty() || name == "info") return LogLevel::kInfo;
  require(name == "warning" || name == "error", "--log_level is info, warning or error, not ",
          name);
  return name == "warning" ? LogLevel::kWarning : LogLevel::kError;
}

std::string log_line_text(LogFormat format, LogLevel level, std::string_view message,
                          const LogFields& fields) {
  const std::string time = time_text(wall_micros());
  const bool is_json = format == LogFormat::kJson;
  std::string line =
      is_json ? str_cat("{\"time\":\"", time, "\",\"level\":\"", level_name(level, format),
                        "\",\"message\":", json_quote(message))
              : str_cat(time, " ", level_name(level, format), " ", escaped(message));
  for (const LogField& field : fields) {
    line += is_json ? str_cat(",\"", field.name, "\":") : str_cat(" ", field.name, "=");
    const bool is_bare = field.is_number || (!is_json && is_plain(field.text));
    line += is_bare ? field.text : json_quote(field.text);
  }
  return is_json ? line + "}" : line;
}

ServerLog::ServerLog(const Options& options, Counter* lost) : options_(options) {
  if (!options.access_path.empty()) access_ = std::make_unique<LineFile>(options.access_path, lost);
}

void ServerLog::write(LogLevel level, std::string_view message, const LogFields& fields) const {
  if (level < options_.level) return;
  const std::string line = log_line_text(options_.format, level, message, fields) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void ServerLog::access(const net::CallRecord& record, const CallOutcome& outcome) const {
  if (access_ == nullptr) return;
  LogFields fields;
  add_access_fields(record, outcome, &fields);
  access_->add(log_line_text(
      options_.format, outcome.is_error ? LogLevel::kWarning : LogLevel::kInfo, "request", fields));
}

void ServerLog::reopen() const {
  if (access_ != nullptr) access_->reopen();
}

void ServerLog::flush() const {
  if (access_ != nullptr) access_->flush();
}

}  // namespace rill::serve
