#pragma once

#include <cstdint>

#include "rill/base/clock.h"
#include "rill/base/process_figures.h"

namespace rill {

// Tells the figures of the process how long steps take. Those that take long are measured each;
// looking at the clock would cost quick ones too much, so one in sixteen stands for them.
class StepSample {
 public:
  void begin() { begin_nanos_ = left_out_ > 0 ? 0 : monotonic_nanos(); }
  // Of a step that went well: the time, if it was measured, else 0.
  std::int64_t end() {
    if (begin_nanos_ == 0) [[likely]]
      return --left_out_, 0;
    const std::int64_t now = monotonic_nanos(), nanos = now - begin_nanos_;
    process_figures().add_step(nanos, times_);
    times_ = nanos < kQuickNanos ? kQuickTimes : 1;
    left_out_ = times_ - 1;
    return now;
  }

 private:
  static constexpr std::int64_t kQuickNanos = 20'000, kQuickTimes = 16;
  std::int64_t begin_nanos_ = 0, left_out_ = 0;
  std::int64_t times_ = 1;  // steps that the one that is measured next stands for
};

}  // namespace rill
