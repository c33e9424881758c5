#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace rill {

// Which of two ways to run a plan's steps is the faster, learnt from how long they took: nodes in
// order, with all threads in every kernel, or side by side, with fewer threads each. Results are
// the same. Safe from several threads.
class FasterWay {
 public:
  // For the next step: in turn at first, then mostly the faster way, and the other one now and then,
  // in case that has changed.
  bool is_side_by_side() {
    const std::uint32_t step = steps_.fetch_add(1, kRelaxed);
    if (step < kInTurn) return step % 2 == 1;
    const bool faster = side_by_side_.load(kRelaxed) < in_order_.load(kRelaxed);
    return step % kLookAgain == 0 ? !faster : faster;
  }
  // What disturbs a step makes it longer, never shorter: the shortest counts, and fades.
  void took(bool side_by_side, std::int64_t nanos) {
    std::atomic<std::int64_t>& shortest = side_by_side ? side_by_side_ : in_order_;
    const std::int64_t before = shortest.load(kRelaxed);
    shortest.store(before == 0 ? nanos : std::min(nanos, before + before / 8), kRelaxed);
  }
  // Nodes side by side from the first step on.
  void expect_long_steps() {
    in_order_.store(INT64_MAX / 2, kRelaxed);
    steps_.store(kInTurn, kRelaxed);
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr std::uint32_t kInTurn = 6, kLookAgain = 64;
  std::atomic<std::int64_t> in_order_{0}, side_by_side_{0};  // nanoseconds, 0: not known
  std::atomic<std::uint32_t> steps_{0};
};

}  // namespace rill
