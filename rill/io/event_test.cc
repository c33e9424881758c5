#include <gtest/gtest.h>

#include "rill/base/clock.h"
#include "rill/base/environment.h"
#include "rill/base/file_system.h"
#include "rill/base/file_testing.h"
#include "rill/io/event_queue.h"
#include "rill/io/event_reader.h"
#include "rill/io/event_writer.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

using tensorflow::Event;

Event scalar_event(const char* tag, float value, std::int64_t step) {
  Event event;
  event.set_wall_time(1500000001.25);
  event.set_step(step);
  auto* summary = event.mutable_summary()->add_value();
  summary->set_tag(tag);
  summary->set_simple_value(value);
  return event;
}

TEST(Events, the_version_comes_first_and_is_there_at_once) {
  const ScratchDirectory scratch;
  EventWriter writer(scratch / "run/1/events", ".v2");
  EXPECT_FALSE(file_exists(scratch / "run"));
  const std::string path = writer.path();
  const std::string start = scratch / "run/1/events.out.tfevents.";
  EXPECT_TRUE(path.starts_with(start)) << path;
  EXPECT_EQ(path.substr(start.size() + 10), str_cat(".", host_name(), ".v2"));
  EventReader reader(path);
  Event event;
  ASSERT_TRUE(reader.read(&event));
  EXPECT_EQ(event.file_version(), "brain.Event:2");
  EXPECT_NEAR(event.wall_time(), static_cast<double>(wall_micros()) / 1e6, 5);
  EXPECT_FALSE(reader.read(&event));
  const std::string bytes = read_file(path);
  EXPECT_EQ(bytes.substr(0, 13), std::string("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\x09", 13));
}

TEST(Events, flushed_events_are_seen_and_bytes_are_as_documented) {
  const ScratchDirectory scratch;
  EventWriter writer(scratch / "events");
  writer.write(scalar_event("loss", 0.5f, 10));
  writer.flush();
  EventReader reader(writer.path());
  Event event;
  ASSERT_TRUE(reader.read(&event));
  ASSERT_TRUE(reader.read(&event));
  EXPECT_EQ(event.step(), 10);
  EXPECT_EQ(event.summary().value(0).tag(), "loss");
  EXPECT_FALSE(reader.read(&event));
  EXPECT_EQ(
      read_file(writer.path()).substr(40),
      std::string("\x1a\0\0\0\0\0\0\0\x12\x9b\xd8\x2d\x09\0\0\x50\xc0\x0b\x5a\xd6\x41\x10\x0a\x2a"
                  "\x0d\x0a\x0b\x0a\x04loss\x15\0\0\0\x3f\x31\xa2\0\x03",
                  42));
  writer.write(scalar_event("loss", 0.25f, 11));
  writer.close();
  ASSERT_TRUE(reader.read(&event));
  EXPECT_EQ(event.step(), 11);
}

TEST(Events, a_lost_file_is_reported_and_replaced) {
  const ScratchDirectory scratch;
  EventWriter writer(scratch / "events");
  const std::string path = writer.path();
  local_files().remove_file(path);
  EXPECT_EQ(error_of([&] { writer.flush(); }),
            str_cat("Unknown: The events file ", path, " has disappeared."));
  writer.write(scalar_event("loss", 1, 1));
  writer.close();
  EventReader reader(matching_paths(scratch / "events.out.tfevents.*").at(0));
  Event event;
  EXPECT_TRUE(reader.read(&event));
  EXPECT_TRUE(reader.read(&event));
  EXPECT_EQ(event.step(), 1);
}

std::vector<std::int64_t> steps_in(const std::string& directory) {
  std::vector<std::int64_t> steps;
  for (const std::string& path : matching_paths(directory + "/*tfevents*")) {
    EventReader reader(path);
    for (Event event; reader.read(&event);)
      if (event.has_summary()) steps.push_back(event.step());
  }
  return steps;
}

TEST(Events, writers_of_one_second_do_not_share_a_file) {
  const ScratchDirectory scratch;
  EventWriter first(scratch / "events"), second(scratch / "events");
  first.write(scalar_event("loss", 1, 1));
  second.write(scalar_event("loss", 1, 2));
  first.close();
  second.close();
  EXPECT_EQ(steps_in(scratch.path()), (std::vector<std::int64_t>{1, 2}));
}

TEST(EventQueue, flushes_the_first_event_then_after_a_time_or_when_told) {
  const ScratchDirectory scratch;
  EventQueue queue(scratch / "events", "", {.flush_seconds = 1000});
  using Steps = std::vector<std::int64_t>;
  queue.add(scalar_event("loss", 1, 1));
  for (int i = 0; i < 1000 && steps_in(scratch.path()) != Steps{1}; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(steps_in(scratch.path()), Steps{1});
  for (int step = 2; step < 50; ++step) queue.add(scalar_event("loss", 1, step));
  EXPECT_EQ(steps_in(scratch.path()), Steps{1});  // no time has passed
  queue.flush();
  EXPECT_EQ(steps_in(scratch.path()).size(), 49u);
}

TEST(EventQueue, closed_it_drops_events_and_reopened_it_begins_a_new_file) {
  const ScratchDirectory scratch;
  EventQueue queue(scratch / "events", ".v2");
  EXPECT_EQ(matching_paths(scratch / "*.v2").size(), 1u);  // at once
  for (int step = 1; step <= 100; ++step) queue.add(scalar_event("loss", 1, step));
  queue.close();
  queue.close();
  EXPECT_EQ(steps_in(scratch.path()).size(), 100u);
  queue.add(scalar_event("loss", 1, 101));
  queue.reopen();
  queue.add(scalar_event("loss", 1, 102));
  queue.close();
  const auto steps = steps_in(scratch.path());
  EXPECT_EQ(steps.size(), 101u);
  EXPECT_EQ(steps.back(), 102);
  EXPECT_EQ(matching_paths(scratch / "*.v2").size(), 2u);
}

TEST(EventQueue, errors_of_its_thread_reach_the_caller) {
  write_file("ram://event_queue_test", "a file where a directory is wanted");
  EventQueue queue("ram://event_queue_test/run/events", "");
  queue.add(scalar_event("loss", 1, 1));
  EXPECT_TRUE(
      error_of([&] { queue.flush(); }).starts_with("FailedPrecondition: ram://event_queue_test"));
}

TEST(Events, what_is_no_event_is_data_loss) {
  RecordWriter writer("ram://event_test");
  writer.write("\xff\xff no event");
  writer.close();
  EventReader reader("ram://event_test");
  Event event;
  EXPECT_EQ(error_of([&] { reader.read(&event); }),
            "DataLoss: the record at 0 of ram://event_test is no event");
  EXPECT_EQ(reader.offset(), 0u);
}

}  // namespace
}  // namespace rill
