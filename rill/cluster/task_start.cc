#include "rill/cluster/task_start.h"

#include "rill/base/clock.h"
#include "rill/base/environment.h"
#include "rill/base/log.h"
#include "rill/base/scheduler.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr std::int64_t kRoundMillis = 1000, kPauseMillis = 20, kTellNanos = 10'000'000'000,
                       kOptionalNanos = 10'000'000'000;

std::int64_t default_timeout_ms() {
  const std::int64_t seconds = environment_number("RILL_CLUSTER_WAIT_SECONDS");
  return (seconds > 0 ? seconds : 3600) * 1000;
}

}  // namespace

std::map<std::string, std::shared_ptr<tensorflow::GetStatusResponse>> wait_for_tasks(
    const Links& links, const StartLimits& limits) {
  const std::int64_t timeout = limits.timeout_ms > 0 ? limits.timeout_ms : default_timeout_ms();
  const std::int64_t began = monotonic_nanos();
  std::map<std::string, std::shared_ptr<tensorflow::GetStatusResponse>> found;
  std::set<std::string> ended;
  for (std::int64_t told = began; found.size() + ended.size() < links.size();) {
    std::string missing, why;
    for (const auto& [task, link] : links) {
      if (found.contains(task) || ended.contains(task)) continue;
      const bool is_optional = limits.optional.contains(task);
      auto status = std::make_shared<tensorflow::GetStatusResponse>();
      try {
        call_and_wait(*link, "/tensorflow.WorkerService/GetStatus",
                      std::make_shared<tensorflow::GetStatusRequest>(), status,
                      {.timeout_ms = kRoundMillis, .wait_for_ready = !is_optional});
        found[task] = std::move(status);
      } catch (const Error& error) {
        // A machine that is gone says nothing at all.
        const bool is_silent = monotonic_nanos() - began > kOptionalNanos;
        if (is_optional && (error.code() == Code::kUnavailable || is_silent)) {
          ended.insert(task);
          continue;
        }
        // Somebody is there, and does not do what tasks do.
        if (error.code() != Code::kUnavailable && error.code() != Code::kDeadlineExceeded) throw;
        missing += str_cat(missing.empty() ? "" : ", ", task, " at ", link->address());
        why = error.message();
      }
    }
    if (missing.empty()) break;
    // Some answer at once that they are not there.
    pause_for(std::chrono::milliseconds(kPauseMillis));
    if (limits.is_gone && limits.is_gone()) raise(Code::kCancelled, "Nobody waits any more");
    const std::int64_t now = monotonic_nanos();
    const std::int64_t waited_ms = (now - began) / 1'000'000;
    if (waited_ms > timeout)
      raise(Code::kDeadlineExceeded, "The session cannot start: for ", waited_ms / 1000,
            " s no answer came from ", missing, " (", why,
            "). Does the task run, and is this its address?");
    if (now - told < kTellNanos) continue;
    told = now;
    log(LogLevel::kWarning, str_cat("CreateSession still waiting for response from worker: ",
                                    missing, ", for ", waited_ms / 1000, " s now: ", why));
  }
  return found;
}

}  // namespace rill::cluster
