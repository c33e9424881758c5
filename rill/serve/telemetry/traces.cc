#include "rill/serve/telemetry/traces.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/net/http/http_post.h"
#include "rill/serve/telemetry/json_quote.h"

namespace rill::serve {
namespace {

constexpr std::size_t kMostSpans = 20'000;  // spans
constexpr std::size_t kTogether = 512;      // that are sent in one message
constexpr std::chrono::milliseconds kBetweenSends{500};
constexpr std::int64_t kTimeoutMillis = 3000;
constexpr int kServerSpan = 2, kInternalSpan = 1;  // OpenTelemetry's kinds

bool is_hex(std::string_view text) {
  return std::ranges::all_of(
             text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }) &&
         text.find_first_not_of('0') != std::string_view::npos;
}

std::string random_hex(int words) {
  thread_local std::mt19937_64 random{(std::uint64_t{std::random_device()()} << 32) |
                                      std::random_device()()};
  std::string text;
  for (int i = 0; i < words; ++i) {
    std::array<char, 20> word{};
    std::snprintf(word.data(), word.size(), "%016llx",
                  static_cast<unsigned long long>(random() | 1));
    text += word.data();
  }
  return text;
}

// Attributes of a span.
class SpanAttributes {
 public:
  void add(std::string_view name, const std::string& value) {
    if (!value.empty()) put(name, str_cat("{\"stringValue\":", json_quote(value), "}"));
  }
  void add(std::string_view name, std::int64_t value) {
    put(name, str_cat("{\"intValue\":\"", value, "\"}"));
  }
  std::string text() const { return "[" + text_ + "]"; }

 private:
  void put(std::string_view name, const std::string& value) {
    text_ += str_cat(text_.empty() ? "" : ",", "{\"key\":\"", name, "\",\"value\":", value, "}");
  }
  std::string text_;
};

struct Span {
  std::string trace_id, span_id, parent_id, name;
  int kind = kServerSpan;
  std::int64_t begin_nanos = 0, end_nanos = 0;  // since the Unix epoch
  std::string attributes = "[]";
  bool is_error = false;
};

std::string json_of(const Span& span) {
  const std::string parent = span.parent_id.empty()
                                 ? std::string()
                                 : str_cat("\"parentSpanId\":\"", span.parent_id, "\",");
  return str_cat("{\"traceId\":\"", span.trace_id, "\",\"spanId\":\"", span.span_id, "\",", parent,
                 "\"name\":", json_quote(span.name), ",\"kind\":", span.kind,
                 ",\"startTimeUnixNano\":\"", span.begin_nanos, "\",\"endTimeUnixNano\":\"",
                 span.end_nanos, "\",\"attributes\":", span.attributes,
                 ",\"status\":", span.is_error ? "{\"code\":2}" : "{}", "}");
}

std::string attributes_of(const net::CallRecord& record, const CallOutcome& outcome) {
  SpanAttributes attributes;
  const bool is_grpc = record.method.starts_with('/');
  if (is_grpc) {
    attributes.add("rpc.system", std::string("grpc"));
    attributes.add("rpc.method", record.method);
    attributes.add("rpc.grpc.status", outcome.status);
  } else {
    attributes.add("http.request.method", record.method.substr(0, record.method.find(' ')));
    attributes.add("url.path", record.method.substr(record.method.find(' ') + 1));
    attributes.add("http.response.status_code", outcome.status);
  }
  attributes.add("client.address", record.peer);
  attributes.add("request.id", record.id);
  attributes.add("model.name", record.model);
  if (record.version != 0) attributes.add("model.version", record.version);
  attributes.add("model.signature", record.signature);
  return attributes.text();
}

// An ExportTraceServiceRequest.
std::string message_of(std::span<const std::string> spans) {
  std::string all;
  for (const std::string& span : spans) all += (all.empty() ? "" : ",") + span;
  return str_cat("{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",",
                 "\"value\":{\"stringValue\":\"rill\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":",
                 "\"rill.serve\"},\"spans\":[", all, "]}]}]}");
}

}  // namespace

// "00-<trace id>-<span id>-<flags>"; later versions may have more behind it.
std::optional<TraceParent> parse_traceparent(std::string_view header) {
  constexpr std::size_t kSize = 55, kTraceAt = 3, kTrace = 32, kSpanAt = 36, kSpan = 16,
                        kFlagsAt = 53;
  if (header.size() < kSize || header[2] != '-' || header[kSpanAt - 1] != '-' ||
      header[kFlagsAt - 1] != '-' || header.starts_with("ff"))
    return std::nullopt;
  if (header.starts_with("00") ? header.size() != kSize
                               : header.size() > kSize && header[kSize] != '-')
    return std::nullopt;
  TraceParent parent{.trace_id = std::string(header.substr(kTraceAt, kTrace)),
                     .span_id = std::string(header.substr(kSpanAt, kSpan))};
  if (!is_hex(parent.trace_id) || !is_hex(parent.span_id)) return std::nullopt;
  constexpr std::string_view kOdd = "13579bdf";
  parent.is_sampled = kOdd.find(header[kFlagsAt + 1]) != std::string_view::npos;
  return parent;
}

Traces::Traces(const Options& options, Counter* sent, Counter* lost)
    : options_(options), sent_(sent), lost_(lost) {
  require(options.sampling >= 0 && options.sampling <= 1, "--trace_sampling is from 0 to 1, not ",
          options.sampling);
  if (!options.endpoint.empty()) net::check_http_url(options.endpoint);
  if (!options.file.empty()) file_ = std::make_unique<LineFile>(options.file, lost);
  thread_ = std::thread([this] { work(); });
}

Traces::~Traces() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Multiples of the golden ratio lie evenly, whatever pattern requests come in.
bool Traces::is_chosen() {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  if (options_.sampling >= 1) return true;
  const auto most = static_cast<std::uint64_t>(std::ldexp(options_.sampling, 64));
  return next_.fetch_add(1, std::memory_order_relaxed) * kGolden < most;
}

void Traces::add(const net::CallRecord& record, const CallOutcome& outcome) {
  const auto parent = parse_traceparent(record.traceparent);
  if (parent ? !parent->is_sampled : !is_chosen()) return;
  const std::int64_t began = record.began_micros * 1000, now = monotonic_nanos();
  Span whole{.trace_id = parent ? parent->trace_id : random_hex(2),
             .span_id = random_hex(1),
             .parent_id = parent ? parent->span_id : std::string(),
             .name = record.method.substr(0, record.method.find('?')),
             .begin_nanos = began,
             .end_nanos = began + (now - record.received_nanos),
             .attributes = attributes_of(record, outcome),
             .is_error = outcome.is_error};
  std::vector<std::string> spans{json_of(whole)};
  if (record.run_ended_nanos != 0)
    spans.push_back(
        json_of({.trace_id = whole.trace_id,
                 .span_id = random_hex(1),
                 .parent_id = whole.span_id,
                 .name = "run " + record.model,
                 .kind = kInternalSpan,
                 .begin_nanos = began + (record.run_began_nanos - record.received_nanos),
                 .end_nanos = began + (record.run_ended_nanos - record.received_nanos)}));
  const auto count = static_cast<std::int64_t>(spans.size());
  const std::lock_guard lock(mutex_);
  if (waiting_.size() + spans.size() > kMostSpans) return lost_->add(count);
  std::ranges::move(spans, std::back_inserter(waiting_));
  added_ += count;
}

void Traces::flush() {
  {
    std::unique_lock lock(mutex_);
    const std::int64_t all = added_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return written_ >= all; });
  }
  if (file_ != nullptr) file_->flush();
}

void Traces::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_over = is_over_;
    const std::vector<std::string> spans = std::exchange(waiting_, {});
    lock.unlock();
    send(spans);
    lock.lock();
    written_ += static_cast<std::int64_t>(spans.size());
    changed_.notify_all();
    if (is_over && waiting_.empty()) return;
    changed_.wait_for(lock, kBetweenSends);
  }
}

void Traces::send(const std::vector<std::string>& spans) {
  for (std::size_t i = 0; i < spans.size(); i += kTogether) {
    const auto part = std::span(spans).subspan(i, std::min(kTogether, spans.size() - i));
    const auto count = static_cast<std::int64_t>(part.size());
    const std::string message = message_of(part);
    if (file_ != nullptr) file_->add(message);
    if (options_.endpoint.empty()) {
      sent_->add(count);
      continue;
    }
    try {
      const int status =
          net::http_post(options_.endpoint, "application/json", message, kTimeoutMillis);
      if (status / 100 != 2)
        raise(Code::kUnavailable, options_.endpoint, " answers with status ", status);
      sent_->add(count);
      has_complained_ = false;
    } catch (...) {
      lost_->add(count);
      if (!std::exchange(has_complained_, true))
        log(LogLevel::kWarning, "Traces are lost: ", current_error().message());
    }
  }
}

}  // namespace rill::serve
