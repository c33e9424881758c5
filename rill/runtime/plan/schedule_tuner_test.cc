#include "rill/runtime/plan/schedule_tuner.h"

#include <gtest/gtest.h>

namespace rill {
namespace {

// How many of `steps` went side by side, where each way takes so long.
int side_by_side(ScheduleTuner& way, int steps, std::int64_t in_order_nanos,
                 std::int64_t side_by_side_nanos) {
  int count = 0;
  for (int i = 0; i < steps; ++i) {
    const bool chosen = way.next_is_parallel();
    way.took(chosen, chosen ? side_by_side_nanos : in_order_nanos);
    count += chosen ? 1 : 0;
  }
  return count;
}

TEST(ScheduleTuner, keeps_the_faster_schedule_and_retries_the_other) {
  // Of 640 steps the second, the first powers of two and every 64th.
  ScheduleTuner way;
  EXPECT_LE(side_by_side(way, 640, 100, 200), 15);
  ScheduleTuner other;
  EXPECT_GE(side_by_side(other, 640, 200, 100), 625);
}

TEST(ScheduleTuner, switches_when_the_other_becomes_faster) {
  ScheduleTuner way;
  side_by_side(way, 200, 100, 200);
  side_by_side(way, 600, 400, 200);  // while it looks again
  EXPECT_GE(side_by_side(way, 64, 400, 200), 63);
}

TEST(ScheduleTuner, single_slow_steps_change_nothing) {
  ScheduleTuner way;
  side_by_side(way, 128, 100, 150);
  int count = 0;
  for (int i = 0; i < 64; ++i) {  // every fourth step takes three times as long
    count += side_by_side(way, 3, 100, 150);
    count += side_by_side(way, 1, 300, 450);
  }
  EXPECT_EQ(count, 4);  // of 256: those that look again
}

TEST(ScheduleTuner, long_steps_are_parallel_from_the_first) {
  ScheduleTuner way;
  way.expect_long_steps();
  EXPECT_TRUE(way.next_is_parallel());
}

}  // namespace
}  // namespace rill
