#include "rill/runtime/plan/schedule_tuner.h"

#include <gtest/gtest.h>

namespace rill {
namespace {

// How many of `steps` ran inter-op parallel, where each schedule takes so long.
int parallel_steps(ScheduleTuner& tuner, int steps, std::int64_t serial_nanos,
                   std::int64_t parallel_nanos) {
  int count = 0;
  for (int i = 0; i < steps; ++i) {
    const bool chosen = tuner.next_is_parallel();
    tuner.took(chosen, chosen ? parallel_nanos : serial_nanos);
    count += chosen ? 1 : 0;
  }
  return count;
}

TEST(ScheduleTuner, keeps_the_faster_schedule_and_retries_the_other) {
  // Of 640 steps the second, the first powers of two and every 64th.
  ScheduleTuner tuner;
  EXPECT_LE(parallel_steps(tuner, 640, 100, 200), 15);
  ScheduleTuner other;
  EXPECT_GE(parallel_steps(other, 640, 200, 100), 625);
}

TEST(ScheduleTuner, switches_when_the_other_becomes_faster) {
  ScheduleTuner tuner;
  parallel_steps(tuner, 200, 100, 200);
  parallel_steps(tuner, 600, 400, 200);  // until it retries
  EXPECT_GE(parallel_steps(tuner, 64, 400, 200), 63);
}

TEST(ScheduleTuner, single_slow_steps_change_nothing) {
  ScheduleTuner tuner;
  parallel_steps(tuner, 128, 100, 150);
  int count = 0;
  for (int i = 0; i < 64; ++i) {  // every fourth step takes three times as long
    count += parallel_steps(tuner, 3, 100, 150);
    count += parallel_steps(tuner, 1, 300, 450);
  }
  EXPECT_EQ(count, 4);  // of 256: the retries
}

TEST(ScheduleTuner, long_steps_are_parallel_from_the_first) {
  ScheduleTuner tuner;
  tuner.expect_long_steps();
  EXPECT_TRUE(tuner.next_is_parallel());
}

}  // namespace
}  // namespace rill
