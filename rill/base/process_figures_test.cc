#include "rill/base/process_figures.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "rill/base/files.h"

namespace rill {
namespace {

const ShownFigures* figures_of(const std::vector<ShownFigures>& all, std::int64_t pid) {
  const auto it = std::ranges::find(all, pid, &ShownFigures::pid);
  return it == all.end() ? nullptr : &*it;
}

TEST(ProcessFigures, others_see_what_is_counted) {
  const ShownFigures before = shown(process_figures());
  process_figures().add_step(3'000'000, 1);
  process_figures().add_step(1'000, 16);
  const auto all = figures_of_processes();
  const ShownFigures* const found = figures_of(all, getpid());
  ASSERT_NE(found, nullptr) << figures_directory();
  EXPECT_EQ(found->steps.count - before.steps.count, 17);
  EXPECT_NEAR(found->steps.seconds - before.steps.seconds, .003016, 1e-9);
  EXPECT_EQ(found->step_buckets[12] - before.step_buckets[12], 1);  // below 4096 microseconds
  EXPECT_EQ(found->step_buckets[1] - before.step_buckets[1], 16);   // below 2
  EXPECT_NE(found->command.find("test_base"), std::string::npos) << found->command;
  EXPECT_GT(found->threads, 0);
  EXPECT_GT(found->resident_bytes, 1 << 20);
}

TEST(ProcessFigures, stages_keep_their_places_and_are_bounded) {
  StageFigure& one = process_figures().stage("Map of the test");
  EXPECT_EQ(&one, &process_figures().stage("Map of the test"));
  process_figures().stage(std::string(1000, 'x'));
  for (int i = 0; i < 100; ++i) process_figures().stage("stage " + std::to_string(i));
  EXPECT_EQ(process_figures().stage_count, static_cast<int>(ProcessFigures::kStages));
  EXPECT_EQ(shown(process_figures()).stages.back().name, "(others)");
}

TEST(ProcessFigures, a_child_has_its_own_and_takes_it_away) {
  process_figures().add_step(1, 1);
  int told[2], go[2];
  ASSERT_EQ(pipe(told), 0);
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  char byte = 0;
  if (child == 0) {
    process_figures().add_step(1, 1);
    [[maybe_unused]] const auto wrote = write(told[1], "x", 1);
    [[maybe_unused]] const auto waited = read(go[0], &byte, 1);
    _exit(0);  // as a process that is killed, it leaves its file
  }
  ASSERT_EQ(read(told[0], &byte, 1), 1);
  const auto both = figures_of_processes();
  const ShownFigures* const found = figures_of(both, child);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->steps.count, 1);
  ASSERT_EQ(write(go[1], "x", 1), 1);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(figures_of(figures_of_processes(), child), nullptr);
  EXPECT_FALSE(file_exists(figures_directory() + "/" + std::to_string(child)));
}

TEST(ProcessFigures, files_that_are_none_are_passed_by) {
  process_figures().add_step(1, 1);
  const std::string odd = figures_directory() + "/1", other = figures_directory() + "/notes";
  write_file(odd, "no figures");
  write_file(other, "no figures");
  EXPECT_EQ(figures_of(figures_of_processes(), 1), nullptr);
  remove_tree(odd);
  remove_tree(other);
}

}  // namespace
}  // namespace rill
