#include "rill/inspect/process_view.h"

#include <gtest/gtest.h>

#include "rill/base/text.h"

namespace rill::inspect {
namespace {

// Ten seconds old: 100 steps of 40 ms, which waited half of the time.
ShownFigures starved() {
  ShownFigures figures;
  figures.pid = 12;
  figures.start_micros = 1'000'000;
  figures.command = "python train.py";
  figures.steps = {100, 4};
  figures.step_buckets = std::vector<std::int64_t>(40, 0);
  figures.step_buckets[16] = 100;  // from 32.768 to 65.536 ms
  figures.input_waits = {100, 5};
  figures.stages = {{"MapDataset", {100, 6}, 4}, {"BatchDataset", {100, 4}, 1}};
  figures.cpu_seconds = 20;
  return figures;
}

TEST(ProcessView, who_waits_for_input_learns_for_which_stage) {
  const Activity found = activity(starved(), 11'000'000);
  EXPECT_DOUBLE_EQ(found.input_share, .5);
  EXPECT_DOUBLE_EQ(found.cpu_share, 2);
  EXPECT_DOUBLE_EQ(found.step_seconds, .04);
  EXPECT_NEAR(found.median_seconds, .049152, 1e-9);
  EXPECT_EQ(found.slowest_stage, "BatchDataset");  // the other one has four threads
  const std::string text = to_text(std::span(&found, 1));
  EXPECT_NE(text.find("steps wait 50% of the time for the input pipeline; its slowest stage is "
                      "BatchDataset"),
            std::string::npos)
      << text;
}

TEST(ProcessView, between_two_looks) {
  const ShownFigures before = starved();
  ShownFigures now = before;
  now.steps.count += 30;
  now.steps.seconds += .3;
  now.step_buckets[14] += 30;
  now.stages[0].work.seconds += 1;
  const Activity found = activity(before, now, 2);
  EXPECT_EQ(found.steps, 30);
  EXPECT_EQ(found.all_steps, 130);
  EXPECT_DOUBLE_EQ(found.input_share, 0);
  EXPECT_EQ(found.slowest_stage, "MapDataset");
}

TEST(ProcessView, prometheus_reads_it) {
  ShownFigures odd = starved();
  odd.command = "say \"\\\n\"";
  const std::string text = prometheus_text(std::span(&odd, 1));
  for (const char* line :
       {"rill_process_info{pid=\"12\",command=\"say \\\"\\\\\\n\\\"\"} 1\n",
        "# TYPE rill_step_seconds histogram\n",
        "rill_step_seconds_bucket{pid=\"12\",le=\"0.032768\"} 0\n",
        "rill_step_seconds_bucket{pid=\"12\",le=\"0.065536\"} 100\n",
        "rill_step_seconds_count{pid=\"12\"} 100\n",
        "rill_input_stage_seconds_total{pid=\"12\",stage=\"MapDataset\",threads=\"4\"} 6\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

}  // namespace
}  // namespace rill::inspect
