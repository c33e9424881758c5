#include "rill/runtime/faster_way.h"

#include <gtest/gtest.h>

namespace rill {
namespace {

// How many of `steps` went side by side, where each way takes so long.
int side_by_side(FasterWay& way, int steps, std::int64_t in_order_nanos,
                 std::int64_t side_by_side_nanos) {
  int count = 0;
  for (int i = 0; i < steps; ++i) {
    const bool chosen = way.is_side_by_side();
    way.took(chosen, chosen ? side_by_side_nanos : in_order_nanos);
    count += chosen ? 1 : 0;
  }
  return count;
}

TEST(FasterWay, takes_the_faster_one_and_looks_at_the_other_now_and_then) {
  FasterWay way;
  EXPECT_LE(side_by_side(way, 640, 100, 200), 13);
  FasterWay other;
  EXPECT_GE(side_by_side(other, 640, 200, 100), 627);
}

TEST(FasterWay, one_disturbed_step_decides_nothing) {
  FasterWay way;
  for (const std::int64_t warming_up : {900, 800}) side_by_side(way, 1, warming_up, 200);
  EXPECT_EQ(side_by_side(way, 60, 100, 200), 2);
}

TEST(FasterWay, notices_that_the_faster_one_is_so_no_more) {
  FasterWay way;
  side_by_side(way, 200, 100, 200);
  side_by_side(way, 600, 400, 200);  // while it looks again
  EXPECT_GE(side_by_side(way, 64, 400, 200), 63);
}

TEST(FasterWay, long_steps_go_side_by_side_from_the_first_on) {
  FasterWay way;
  way.expect_long_steps();
  EXPECT_TRUE(way.is_side_by_side());
}

}  // namespace
}  // namespace rill
