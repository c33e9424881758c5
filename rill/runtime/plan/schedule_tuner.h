#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace rill {

// Chooses a plan's schedule by measured step time: serial (nodes in order, all threads in every
// kernel) or inter-op parallel (nodes side by side, fewer threads each). Results are the same bits
// in both. Safe from several threads.
class ScheduleTuner {
 public:
  // Whether the next step runs inter-op parallel. Mostly the faster schedule; each once at first,
  // and the slower one again every kRetry steps in case that has changed (more often at the
  // beginning, when caches were cold).
  bool next_is_parallel() {
    const bool faster = parallel_.load(kRelaxed) < serial_.load(kRelaxed);
    return is_retry(steps_.fetch_add(1, kRelaxed) + 1) ? !faster : faster;
  }
  void took(bool parallel, std::int64_t nanos) {
    std::atomic<std::int64_t>& shortest = parallel ? parallel_ : serial_;
    const std::int64_t before = shortest.load(kRelaxed);
    shortest.store(before == 0 ? nanos : std::min(nanos, before + before / kForget), kRelaxed);
  }
  // Inter-op parallel from the first step on.
  void expect_long_steps() { serial_.store(INT64_MAX / 2, kRelaxed); }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr std::uint32_t kRetry = 64;
  static bool is_retry(std::uint32_t step) {
    return step % kRetry == 0 || (step >= 4 && std::has_single_bit(step));
  }
  // The estimate is the shortest recent time: other load makes a step longer, never shorter. Each
  // longer step raises the estimate by 1/kForget, so that an old minimum is forgotten.
  static constexpr std::int64_t kForget = 16;
  std::atomic<std::int64_t> serial_{0}, parallel_{0};  // nanoseconds, 0: not known
  std::atomic<std::uint32_t> steps_{0};
};

}  // namespace rill
