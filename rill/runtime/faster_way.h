#pragma once

#include <atomic>
#include <cstdint>

namespace rill {

// Which of two ways to run a plan's steps is the faster, learnt from how long they took: nodes in
// order, with all threads in every kernel, or side by side, with fewer threads each. Results are
// the same. Safe from several threads.
class FasterWay {
 public:
  // For the next step: mostly the faster way; each once at first, and the other one now and then,
  // in case that has changed.
  bool is_side_by_side() {
    const bool faster = side_by_side_.load(kRelaxed) < in_order_.load(kRelaxed);
    return (steps_.fetch_add(1, kRelaxed) + 1) % kLookAgain == 0 ? !faster : faster;
  }
  void took(bool side_by_side, std::int64_t nanos) {
    std::atomic<std::int64_t>& mean = side_by_side ? side_by_side_ : in_order_;
    const std::int64_t before = mean.load(kRelaxed);
    mean.store(before == 0 ? nanos : (before + nanos) / 2, kRelaxed);
  }
  // Nodes side by side from the first step on.
  void expect_long_steps() { in_order_.store(INT64_MAX / 2, kRelaxed); }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr std::uint32_t kLookAgain = 64;
  std::atomic<std::int64_t> in_order_{0}, side_by_side_{0};  // nanoseconds, 0: not known
  std::atomic<std::uint32_t> steps_{0};
};

}  // namespace rill
