#include "rill/board/log/run.h"

#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/board/data/stored_tensor.h"
#include "rill/board/log/log_store.h"
#include "rill/io/record_writer.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::board {
namespace {

using tensorflow::Event;

Event version_event(double wall_time = 1) {
  Event event;
  event.set_wall_time(wall_time);
  event.set_file_version("brain.Event:2");
  return event;
}

Event scalar_event(const std::string& tag, float value, std::int64_t step) {
  Event event;
  event.set_wall_time(100 + static_cast<double>(step));
  event.set_step(step);
  auto* summary = event.mutable_summary()->add_value();
  summary->set_tag(tag);
  summary->set_simple_value(value);
  return event;
}

Event start_event(std::int64_t step) {
  Event event;
  event.set_step(step);
  event.mutable_session_log()->set_status(tensorflow::SessionLog::START);
  return event;
}

std::string record_of(const Event& event) {
  const std::string path = "ram://board_record";
  RecordWriter writer(path);
  writer.write(event.SerializeAsString());
  writer.close();
  return read_file(path);
}

// A run of one file, which tests write and follow.
class OneRun {
 public:
  explicit OneRun(std::string bytes = record_of(version_event())) { replace(std::move(bytes)); }
  void replace(std::string bytes) {
    bytes_ = std::move(bytes);
    write_file(path_, bytes_);
  }
  void append(const std::string& more) { replace(bytes_ + more); }
  bool follow() {
    LogFile file;
    file.path = path_;
    file.size = bytes_.size();
    file.modified_nanos = ++clock_;
    return run.follow({file});
  }
  std::vector<std::int64_t> steps(const std::string& tag) const {
    return run.with_lock([&](const Run::Contents& contents) {
      std::vector<std::int64_t> steps;
      const auto found = contents.series.find(tag);
      if (found == contents.series.end()) return steps;
      for (std::size_t i = 0; i < found->second.scalars.size(); ++i)
        steps.push_back(found->second.scalars.steps[i]);
      return steps;
    });
  }
  std::size_t damage_count() const {
    return run.with_lock([](const Run::Contents& contents) { return contents.damages.size(); });
  }

  Run run{"run", "."};
  const ScratchDirectory scratch;

 private:
  const std::string path_ = scratch / "events.out.tfevents.1";
  std::string bytes_;
  std::int64_t clock_ = 0;
};

using Steps = std::vector<std::int64_t>;

TEST(BoardRun, growing_files_are_read_on_from_where_they_ended) {
  OneRun log;
  EXPECT_TRUE(log.follow());
  log.append(record_of(scalar_event("loss", 1, 1)));
  EXPECT_TRUE(log.follow());
  const std::string half = record_of(scalar_event("loss", 2, 2));
  log.append(half.substr(0, 20));
  EXPECT_FALSE(log.follow());
  EXPECT_EQ(log.damage_count(), 0u);
  log.append(half.substr(20));
  EXPECT_TRUE(log.follow());
  EXPECT_EQ(log.steps("loss"), (Steps{1, 2}));
}

TEST(BoardRun, a_shorter_or_other_file_is_read_anew) {
  OneRun log;
  log.append(record_of(scalar_event("old", 1, 1)) + record_of(scalar_event("old", 1, 2)));
  log.follow();
  log.replace(record_of(version_event()) + record_of(scalar_event("new", 1, 7)));
  EXPECT_TRUE(log.follow());
  EXPECT_EQ(log.steps("old"), Steps{});
  EXPECT_EQ(log.steps("new"), Steps{7});
  std::string other = record_of(version_event(2));
  for (int i = 0; i < 5; ++i) other += record_of(scalar_event("other", 1, i));
  log.replace(other);
  EXPECT_TRUE(log.follow());
  EXPECT_EQ(log.steps("new"), Steps{});
  EXPECT_EQ(log.steps("other"), (Steps{0, 1, 2, 3, 4}));
}

TEST(BoardRun, a_restart_takes_back_what_comes_at_its_step_and_later) {
  OneRun log;
  for (int i = 0; i < 5; ++i) log.append(record_of(scalar_event("loss", 1, i)));
  log.append(record_of(start_event(3)) + record_of(scalar_event("loss", 2, 3)));
  log.follow();
  EXPECT_EQ(log.steps("loss"), (Steps{0, 1, 2, 3}));
}

TEST(BoardRun, without_a_version_steps_that_go_back_are_a_restart) {
  OneRun log("");
  for (const int step : {0, 1, 2, 3, 1, 2}) log.append(record_of(scalar_event("loss", 1, step)));
  log.follow();
  EXPECT_EQ(log.steps("loss"), (Steps{0, 1, 2}));
}

TEST(BoardRun, a_broken_record_ends_the_file_there) {
  OneRun log;
  log.append(record_of(scalar_event("loss", 1, 1)));
  std::string broken = record_of(scalar_event("loss", 1, 2));
  broken[20] ^= 1;
  log.append(broken + record_of(scalar_event("loss", 1, 3)));
  log.follow();
  EXPECT_EQ(log.steps("loss"), Steps{1});
  EXPECT_EQ(log.damage_count(), 1u);
}

TEST(BoardRun, a_length_of_nonsense_is_waited_for_and_takes_no_memory) {
  OneRun log;
  std::string huge = record_of(scalar_event("loss", 1, 1));
  RecordWriter writer("ram://board_huge");
  writer.write(std::string(1 << 20, 'x'));
  writer.close();
  log.append(huge + read_file("ram://board_huge").substr(0, 100));
  log.follow();
  EXPECT_EQ(log.steps("loss"), Steps{1});
  EXPECT_EQ(log.damage_count(), 0u);
}

TEST(BoardRun, large_values_stay_in_the_file) {
  OneRun log;
  Event event = scalar_event("loss", 1, 4);
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("picture");
  value->mutable_image()->set_encoded_image_string(std::string(3 << 20, 'p'));
  auto* after = event.mutable_summary()->add_value();
  after->set_tag("after");
  after->set_simple_value(2);
  log.append(record_of(event) + record_of(scalar_event("loss", 1, 5)));
  log.follow();
  EXPECT_EQ(log.steps("loss"), (Steps{4, 5}));
  EXPECT_EQ(log.steps("after"), Steps{4});
  const auto [path, stored] = log.run.with_lock([](const Run::Contents& contents) {
    const StoredValue& found = contents.series.find("picture")->second.stored.at(0);
    return std::pair(contents.paths[found.file], found);
  });
  EXPECT_EQ(image_of(stored.kind, read_stored(path, stored), 0).bytes, std::string(3 << 20, 'p'));
}

TEST(BoardRun, scalars_are_numbers_of_any_type_kept_exactly) {
  OneRun log;
  Event event = version_event();
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("double");
  value->mutable_metadata()->mutable_plugin_data()->set_plugin_name("scalars");
  value->mutable_tensor()->set_dtype(tensorflow::DT_DOUBLE);
  value->mutable_tensor()->add_double_val(0.1);
  event.set_step(std::int64_t{1} << 40);
  log.append(record_of(event));
  log.follow();
  log.run.with_lock([](const Run::Contents& contents) {
    const ScalarColumns& scalars = contents.series.find("double")->second.scalars;
    ASSERT_EQ(scalars.size(), 1u);
    EXPECT_EQ(scalars.values[0], 0.1);
    EXPECT_EQ(scalars.steps[0], std::int64_t{1} << 40);
  });
}

TEST(BoardLogs, runs_are_found_by_folders_and_names) {
  const ScratchDirectory scratch;
  for (const char* folder : {"a", "a/eval", "b"}) {
    make_directories(scratch / folder);
    write_file(scratch / folder + "/events.out.tfevents.1", record_of(version_event()));
  }
  make_directories(scratch / "empty");
  const auto names = [](const LogStore& store) {
    std::vector<std::string> names;
    for (const auto& run : store.runs()) names.push_back(run->name());
    return names;
  };
  const LogStore one({.directories = {{"", scratch.path()}}, .follows = false});
  EXPECT_EQ(names(one), (std::vector<std::string>{"a", "a/eval", "b"}));
  const LogStore several(
      {.directories = parse_logdir_spec(str_cat("x:", scratch / "a", ",y:", scratch / "b")),
       .follows = false});
  EXPECT_EQ(names(several), (std::vector<std::string>{"x", "x/eval", "y"}));
}

TEST(BoardLogs, new_runs_and_events_are_noticed_and_gone_ones_too) {
  const ScratchDirectory scratch;
  make_directories(scratch / "a");
  const std::string path = scratch / "a/events.out.tfevents.1";
  write_file(path, record_of(version_event()));
  LogStore store({.directories = {{"", scratch.path()}}, .reload_seconds = 0.02});
  store.wait_until_loaded();
  const auto await = [&](auto&& holds) {
    for (int i = 0; i < 500 && !holds(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return holds();
  };
  write_file(path, record_of(version_event()) + record_of(scalar_event("loss", 1, 1)));
  EXPECT_TRUE(await([&] {
    return store.run("a")->with_lock(
        [](const Run::Contents& contents) { return contents.series.contains("loss"); });
  }));
  remove_tree(scratch / "a");
  EXPECT_TRUE(await([&] { return store.runs().empty(); }));
}

TEST(BoardLogs, specs_keep_schemes_and_plain_paths) {
  const auto parsed = parse_logdir_spec("train:/x/y,s3://bucket/z,/plain:colon");
  ASSERT_EQ(parsed.size(), 3u);
  EXPECT_EQ(parsed[0].name, "train");
  EXPECT_EQ(parsed[0].path, "/x/y");
  EXPECT_EQ(parsed[1].path, "s3://bucket/z");
  EXPECT_EQ(parsed[2].path, "/plain:colon");
}

}  // namespace
}  // namespace rill::board
