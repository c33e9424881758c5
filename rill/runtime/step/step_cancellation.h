#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "rill/kernel/cancellation.h"

namespace rill {

// The cancellation of one step; reused by later steps of the same workspace after reset().
class StepCancellation final : public Cancellation {
 public:
  bool cancelled() const override { return cancelled_.load(std::memory_order_acquire); }
  std::int64_t on_cancel(std::function<void()> wake) override;
  void forget(std::int64_t token) override;

  void cancel();  // calls every registered `wake` once
  void reset() { cancelled_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  std::map<std::int64_t, std::function<void()>> wakes_;
  std::int64_t next_token_ = 1;
  bool calling_ = false;
  std::thread::id caller_;  // who calls the wakes, and may forget one from inside another
};

}  // namespace rill
