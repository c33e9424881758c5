#include "rill/serve/model/step_watch.h"

#include <chrono>
#include <utility>

#include "rill/base/clock.h"

namespace rill::serve {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr int kLooksAwake = 50;  // at nothing, before it has to be woken

}  // namespace

StepWatch& StepWatch::shared() {
  static StepWatch watch;
  return watch;
}

StepWatch::StepWatch() : thread_([this] { look(); }) {}

StepWatch::~StepWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StepWatch::run(std::function<bool()> is_unwanted, const std::function<void()>& run) {
  std::unique_lock lock(mutex_);
  const auto own = watched_.emplace(watched_.end());
  own->is_unwanted = std::move(is_unwanted);
  const bool is_asleep = is_asleep_;
  lock.unlock();
  if (is_asleep) changed_.notify_all();
  const auto forget = [&] {
    lock.lock();
    watched_.erase(own);
  };
  try {
    const StepCanceller::Scope scope(own->canceller);
    run();
  } catch (...) {
    forget();
    throw;
  }
  forget();
}

void StepWatch::look() {
  std::unique_lock lock(mutex_);
  for (int idle = 0; !is_over_;) {
    idle = watched_.empty() ? idle + 1 : 0;
    is_asleep_ = idle > kLooksAwake;
    if (is_asleep_) changed_.wait(lock, [&] { return is_over_ || !watched_.empty(); });
    is_asleep_ = false;
    changed_.wait_for(lock, kBetweenLooks, [&] { return is_over_; });
    for (Watched& one : watched_) {
      if (one.is_cancelled || !one.is_unwanted()) continue;
      one.is_cancelled = true;
      one.canceller.cancel();
    }
  }
}

Error told_error(Error error, const RequestLimits& limits) {
  const bool has_left = limits.is_gone && limits.is_gone();
  if (error.code() != Code::kCancelled || has_left || !is_unwanted(limits)) return error;
  return Error(Code::kDeadlineExceeded, "The deadline of the request has passed");
}

bool is_unwanted(const RequestLimits& limits) {
  return (limits.is_gone && limits.is_gone()) ||
         (limits.deadline_nanos != 0 && monotonic_nanos() > limits.deadline_nanos);
}

}  // namespace rill::serve
