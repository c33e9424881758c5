#include "rill/runtime/step/step_cancellation.h"

namespace rill {

std::int64_t StepCancellation::on_cancel(std::function<void()> wake) {
  std::unique_lock lock(mutex_);
  if (cancelled()) {
    lock.unlock();
    wake();
    return 0;
  }
  wakes_.emplace(next_token_, std::move(wake));
  return next_token_++;
}

void StepCancellation::forget(std::int64_t token) {
  std::unique_lock lock(mutex_);
  if (wakes_.erase(token) > 0 || token == 0 || caller_ == std::this_thread::get_id()) return;
  idle_.wait(lock, [&] { return !calling_; });
}

void StepCancellation::cancel() {
  std::unique_lock lock(mutex_);
  if (cancelled_.exchange(true, std::memory_order_acq_rel)) return;
  auto wakes = std::move(wakes_);
  wakes_.clear();
  calling_ = true;
  caller_ = std::this_thread::get_id();
  lock.unlock();
  for (auto& [token, wake] : wakes) wake();
  lock.lock();
  calling_ = false;
  caller_ = {};
  idle_.notify_all();
}

}  // namespace rill
