#include "rill/base/stores/parts_in_flight.h"

#include "rill/base/background.h"
#include "rill/base/blocking.h"

namespace rill::stores {
namespace {

constexpr int kPartsAtOnce = 4;

}  // namespace

void PartsInFlight::wait_until(int running) {
  const Blocking others_run;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return running_ <= running; });
}

void PartsInFlight::rethrow() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void PartsInFlight::add(std::function<void()> send) {
  wait_until(kPartsAtOnce - 1);
  rethrow();
  {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  run_in_background([this, send = std::move(send)]() mutable {
    std::exception_ptr failed;
    try {
      send();
    } catch (...) {
      failed = std::current_exception();
    }
    send = nullptr;  // whoever waits may let go of what it needs
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failed);
    --running_;
    changed_.notify_all();
  });
}

void PartsInFlight::finish() {
  wait_until(0);
  rethrow();
}

}  // namespace rill::stores
