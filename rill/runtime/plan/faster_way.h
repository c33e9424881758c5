#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace rill {

// Which of two ways to run a plan's steps is the faster, learnt from how long they took: nodes in
// order, with all threads in every kernel, or side by side, with fewer threads each. Results are
// the same. Safe from several threads.
class FasterWay {
 public:
  // For the next step: mostly the faster way; each once at first, and the other one now and then,
  // in case that has changed; of the first steps more often, as they may have been cold.
  bool is_side_by_side() {
    const bool faster = side_by_side_.load(kRelaxed) < in_order_.load(kRelaxed);
    return looks_again(steps_.fetch_add(1, kRelaxed) + 1) ? !faster : faster;
  }
  void took(bool side_by_side, std::int64_t nanos) {
    std::atomic<std::int64_t>& shortest = side_by_side ? side_by_side_ : in_order_;
    const std::int64_t before = shortest.load(kRelaxed);
    shortest.store(before == 0 ? nanos : std::min(nanos, before + before / kForget), kRelaxed);
  }
  // Nodes side by side from the first step on.
  void expect_long_steps() { in_order_.store(INT64_MAX / 2, kRelaxed); }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr std::uint32_t kLookAgain = 64;
  static bool looks_again(std::uint32_t step) {
    return step % kLookAgain == 0 || (step >= 4 && std::has_single_bit(step));
  }
  // A step can take long because others want the machine, which says nothing of the way, but none
  // takes less than it needs: the shortest of late counts, and a longer one raises it by a part.
  static constexpr std::int64_t kForget = 16;
  std::atomic<std::int64_t> in_order_{0}, side_by_side_{0};  // nanoseconds, 0: not known
  std::atomic<std::uint32_t> steps_{0};
};

}  // namespace rill
