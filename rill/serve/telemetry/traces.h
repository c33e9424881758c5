#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rill/net/call_record.h"
#include "rill/serve/metrics/metric.h"
#include "rill/serve/telemetry/line_file.h"
#include "rill/serve/telemetry/server_log.h"

namespace rill::serve {

// What a client says of the trace that its request belongs to (W3C's header "traceparent").
struct TraceParent {
  std::string trace_id, span_id;  // 32 and 16 hexadecimal digits
  bool is_sampled = false;
};
// Nothing for a header that is missing or wrong.
std::optional<TraceParent> parse_traceparent(std::string_view header);

// Spans of requests, as OpenTelemetry has them: one of the whole request, and within it one of its
// step. They are written by a thread of its own, as lines of JSON (OTLP) to a file, or sent to a
// collector (OTLP over HTTP); what cannot be written in time is lost and counted. Safe from several
// threads at once.
class Traces {
 public:
  struct Options {
    std::string file;      // "": none; "-": standard error
    std::string endpoint;  // "http://host:4318/v1/traces"; "": none
    // The part of the requests without a trace of their own that begin one. Those of a client's
    // trace are in it when the client says so.
    double sampling = 0;
    bool is_on() const { return !file.empty() || !endpoint.empty(); }
  };
  // The counters must outlive it. Throws InvalidArgument for an address that is none, or a part
  // that is not from 0 to 1, and what opening the file throws.
  Traces(const Options& options, Counter* sent, Counter* lost);
  ~Traces();  // as flush()

  void add(const net::CallRecord& record, const CallOutcome& outcome);
  void flush();  // until everything that was added is written, or lost

 private:
  bool is_chosen();
  void work();
  void send(const std::vector<std::string>& spans);

  const Options options_;
  Counter* const sent_;
  Counter* const lost_;
  std::unique_ptr<LineFile> file_;
  std::atomic<std::uint64_t> next_ = 0;
  bool has_complained_ = false;  // of the thread
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> waiting_;  // guarded by mutex_, as what follows
  std::int64_t added_ = 0, written_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace rill::serve
