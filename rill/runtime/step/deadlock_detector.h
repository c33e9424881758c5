#pragma once

#include <atomic>
#include <functional>

namespace rill {

// Detects that every partition of a step waits for a value from another one, so that none will ever
// come. A client library does not build such graphs, but a model file may hold one.
class DeadlockDetector {
 public:
  // Calls `report` once, on the thread of the partition that was the last to wait.
  DeadlockDetector(int partition_count, std::function<void()> report)
      : active_(partition_count), unfinished_(partition_count), report_(std::move(report)) {}

  void rest() { leave(); }  // a partition can only wait for values
  void wake() { active_.fetch_add(1, std::memory_order_acq_rel); }  // one has come for it
  void end() {                                                      // a partition has ended
    unfinished_.fetch_sub(1, std::memory_order_acq_rel);
    leave();
  }

 private:
  void leave() {
    const bool was_last = active_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    if (was_last && unfinished_.load(std::memory_order_acquire) > 0) report_();
  }

  std::atomic<int> active_, unfinished_;
  const std::function<void()> report_;
};

}  // namespace rill
