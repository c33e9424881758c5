#include "rill/api/training/progress_bar.h"

#include <gtest/gtest.h>

namespace rill::train {
namespace {

TEST(ProgressBar, shows_what_is_known) {
  EXPECT_EQ(progress_line({.step = 7}, 80), "step 7");
  EXPECT_EQ(progress_line({.step = 50, .last_step = 100, .steps_per_sec = 10.0, .loss = 0.25}, 80),
            "[==========>         ] step 50/100  10 steps/s  loss 0.25  0:05 left");
  EXPECT_EQ(progress_line({.step = 100, .last_step = 100}, 80),
            "[====================] step 100/100");
  EXPECT_EQ(progress_line({.step = 1, .last_step = 36001, .steps_per_sec = 5.0}, 40),
            "step 1/36001  5 steps/s  2:00:00 left");
  EXPECT_EQ(progress_line({.step = 150, .first_step = 100, .last_step = 200}, 80),
            "[==========>         ] step 150/200");
}

TEST(ProgressBar, fits_narrow_terminals) {
  EXPECT_EQ(progress_line({.step = 50, .last_step = 100, .loss = 0.25}, 9), "step 50/1");
  EXPECT_EQ(progress_line({.step = 5}, 0), "");
}

TEST(ProgressBar, draws_erases_and_ends) {
  std::string written;
  ProgressBar bar(
      true, [] { return std::size_t{60}; }, [&](const std::string& text) { written += text; });
  bar.set_last_step(10);
  bar.set_speed(2);
  bar.set_loss(1.5);
  bar.at_step(4);
  EXPECT_EQ(written, "\r\x1b[Kstep 4/10  2 steps/s  loss 1.5  0:03 left");
  bar.at_step(5);  // too soon
  bar.hide();
  bar.hide();
  bar.finish();
  EXPECT_EQ(written.substr(written.size() - 4), "\r\x1b[K");
  EXPECT_EQ(written.size(),
            4 + std::string("step 4/10  2 steps/s  loss 1.5  0:03 left").size() + 4);
}

TEST(ProgressBar, writes_nothing_where_it_is_off) {
  std::string written;
  ProgressBar bar(
      false, [] { return std::size_t{80}; }, [&](const std::string& text) { written += text; });
  bar.set_last_step(10);
  bar.set_speed(2);
  bar.set_loss(1);
  for (int i = 0; i < 5; ++i) bar.at_step(i);
  bar.hide();
  bar.finish();
  EXPECT_EQ(written, "");
}

// Tests do not run on a terminal.
TEST(ProgressBar, is_off_without_a_terminal) { EXPECT_FALSE(progress_bar().is_on()); }

}  // namespace
}  // namespace rill::train
