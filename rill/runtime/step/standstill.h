#pragma once

#include <atomic>
#include <functional>

namespace rill {

// Notices when every part of a step waits for a value from another: then none will ever come. That
// does not happen to graphs that a client builds, but models may come from anywhere.
class Standstill {
 public:
  // Calls `report` once, on the thread of the part that was the last to rest.
  Standstill(int part_count, std::function<void()> report)
      : active_(part_count), unfinished_(part_count), report_(std::move(report)) {}

  void rest() { leave(); }  // a part has nothing to do but wait for values
  void wake() { active_.fetch_add(1, std::memory_order_acq_rel); }  // one has come for it
  void end() {                                                      // a part has ended
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
