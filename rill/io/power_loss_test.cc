// The power goes at every operation of a save or of a log, and the disk keeps what it likes of what
// was not synced; disks that are full or broken at every operation. What was saved can be read.
#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/base/log.h"
#include "rill/base/simulated_disk.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/event_reader.h"
#include "rill/io/event_writer.h"
#include "rill/io/record_reader.h"
#include "rill/io/safetensors.h"
#include "rill/io/slice_file_writer.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

const std::string kCrashFolder = "iocrash://run";
const std::string kCrashPrefix = kCrashFolder + "/model";
constexpr std::int64_t kSomeSectors = 400;  // some sectors

SimulatedDisk& crash_disk() { return SimulatedDisk::at("iocrash"); }

Tensor filled_sectors(float value) {
  Tensor tensor(DType::f32, {kSomeSectors});
  std::fill_n(tensor.data<float>(), kSomeSectors, value);
  return tensor;
}

void save_as_bundle(int value) {
  BundleWriter writer(kCrashPrefix);
  for (const char* name : {"a", "b"}) writer.add(name, filled_sectors(static_cast<float>(value)));
  writer.finish();
}

void save_as_shards(int value) {
  std::vector<std::string> parts;
  for (const char* name : {"a", "b"}) {
    BundleWriter writer(parts.emplace_back(str_cat(kCrashPrefix, "_temp/part-", name)));
    writer.add(name, filled_sectors(static_cast<float>(value)));
    writer.finish();
  }
  merge_bundles(parts, kCrashPrefix);
}

// Another number of shards every time.
void save_in_turn(int value) { value % 2 == 0 ? save_as_bundle(value) : save_as_shards(value); }

void save_as_slices(int value) {
  SliceFileWriter writer(kCrashPrefix);
  for (const char* name : {"a", "b"}) writer.add(name, filled_sectors(static_cast<float>(value)));
  writer.finish();
}

// Of which save the checkpoint is: 0 when there is none, -1 when it is of several.
int value_found() {
  if (!CheckpointReader::exists(kCrashPrefix)) return 0;
  const auto reader = CheckpointReader::open(kCrashPrefix);
  const float value = reader->read("a").data<float>()[0];
  for (const char* name : {"a", "b"})
    if (!identical(reader->read(name), filled_sectors(value))) return -1;
  return static_cast<int>(value);
}

void save_tensors(int value) {
  SafetensorsWriter writer(kCrashPrefix, {{"a", {DType::f32, {kSomeSectors}}}});
  writer.add(filled_sectors(static_cast<float>(value)));
  writer.finish();
}
int tensors_found() {
  if (!file_exists(kCrashPrefix)) return 0;
  const Tensor found = SafetensorsReader(kCrashPrefix).read("a");
  const float value = found.data<float>()[0];
  return identical(found, filled_sectors(value)) ? static_cast<int>(value) : -1;
}

void publish(int value) { publish_file(kCrashPrefix, std::string(1000 + value, 'x')); }
int published() {
  if (!file_exists(kCrashPrefix)) return 0;
  const std::string text = read_file(kCrashPrefix);
  return text.find_first_not_of('x') != std::string::npos ? -1
                                                          : static_cast<int>(text.size()) - 1000;
}

struct CrashWay {
  const char* name;
  void (*save)(int value);
  int (*found)();
  // A first save under a name replaces nothing: until it is over there may be less than all of it.
  bool first_may_be_broken;
  bool is_long = false;
};
void PrintTo(const CrashWay& way, std::ostream* out) { *out << way.name; }

class PowerLoss : public testing::TestWithParam<CrashWay> {
 protected:
  PowerLoss() {
    set_durable_files(true);
    crash_disk().format();
    make_durable_directories(kCrashFolder);
  }

  int found_or_broken(std::string* error) const {
    int found = -2;
    *error = error_of([&] { found = GetParam().found(); });
    return found;
  }

  // How many states of the disk were looked at.
  int cut_everywhere(int saves, std::uint64_t seeds) {
    std::vector<std::size_t> ends{crash_disk().log()->size()};
    for (int value = 1; value <= saves; ++value) {
      GetParam().save(value);
      ends.push_back(crash_disk().log()->size());
    }
    const auto log = crash_disk().log();
    int states = 0;
    for (std::size_t cut = ends[0]; cut <= log->size(); ++cut)
      for (const AfterCrash what : kEveryCrash)
        for (std::uint64_t seed = 0; seed < (is_by_chance(what) ? seeds : 1); ++seed, ++states) {
          crash_disk().start_after(*log, cut, what, seed);
          check(cut, ends,
                str_cat("cut at ", cut, " of ", log->size(), ", disk ", static_cast<int>(what),
                        ", seed ", seed));
          if (HasFatalFailure()) return states;
        }
    return states;
  }

  void check(std::size_t cut, const std::vector<std::size_t>& ends, const std::string& where) {
    const auto over = std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin() - 1;
    std::string error;
    const int found = found_or_broken(&error);
    if (over == 0 && GetParam().first_may_be_broken && found == -2) return;
    ASSERT_TRUE(found == over || found == over + 1)
        << where << ": " << over << " saves were over, found " << found << " " << error;
    if (cut % 5 > 0) return;  // training goes on
    GetParam().save(9);
    ASSERT_EQ(GetParam().found(), 9) << where;
  }

  static bool is_by_chance(AfterCrash what) {
    return what == AfterCrash::prefix || what == AfterCrash::scattered;
  }
};

TEST_P(PowerLoss, at_every_operation) {
  const int states = GetParam().is_long ? cut_everywhere(9, 100) : cut_everywhere(3, 3);
  RecordProperty("states", states);
  EXPECT_GT(states, GetParam().is_long ? 9000 : 100);
}

// Nothing is promised without syncs: the disks of this test do lose what they may.
TEST_P(PowerLoss, takes_what_was_not_synced) {
  set_durable_files(false);
  GetParam().save(1);
  GetParam().save(2);
  set_durable_files(true);
  const auto log = crash_disk().log();
  for (const auto& done : *log)
    EXPECT_TRUE(done.kind != SimulatedDisk::Operation::sync_bytes) << done.path;
  std::string error;
  crash_disk().start_after(*log, log->size(), AfterCrash::names_alone, 0);
  EXPECT_LT(found_or_broken(&error), 1);
  crash_disk().start_after(*log, log->size(), AfterCrash::everything, 0);
  EXPECT_EQ(found_or_broken(&error), 2);
}

TEST_P(PowerLoss, disks_that_fail_at_any_operation) {
  int failed = 0;
  for (const Code code : {Code::kResourceExhausted, Code::kUnknown})
    for (const bool stays : {false, true})
      for (std::size_t operation = 0;; ++operation) {
        crash_disk().format();
        make_durable_directories(kCrashFolder);
        GetParam().save(1);
        crash_disk().fail_at(operation, code, stays);
        const std::string error = error_of([&] { GetParam().save(2); });
        const bool is_over = !crash_disk().has_failed();
        crash_disk().repair();
        const int found = GetParam().found();
        ASSERT_TRUE(found == 2 || (found == 1 && !error.empty())) << operation << ": " << error;
        if (!error.empty()) {
          EXPECT_TRUE(error.starts_with(code == Code::kUnknown ? "Unknown" : "ResourceExhausted"))
              << error;
          EXPECT_NE(error.find("; the disk fails"), std::string::npos) << error;
          ++failed;
        }
        GetParam().save(3);
        ASSERT_EQ(GetParam().found(), 3) << operation;
        if (is_over) break;
      }
  EXPECT_GT(failed, 10);
}

TEST_P(PowerLoss, disks_that_vanish_at_any_operation) {
  int failed = 0;
  for (std::size_t operation = 0;; ++operation) {
    crash_disk().format();
    make_durable_directories(kCrashFolder);
    GetParam().save(1);
    crash_disk().vanish_at(operation);
    const std::string error = error_of([&] { GetParam().save(2); });
    const bool is_over = !crash_disk().has_failed();
    crash_disk().repair();  // it comes back as it was
    const int found = GetParam().found();
    ASSERT_TRUE(found == 2 || (found == 1 && !error.empty())) << operation << ": " << error;
    failed += !error.empty();
    GetParam().save(3);
    ASSERT_EQ(GetParam().found(), 3) << operation;
    if (is_over) break;
  }
  EXPECT_GT(failed, 3);
}

std::vector<CrashWay> crash_ways() {
  const CrashWay quick[] = {{"bundle", save_as_bundle, value_found, true},
                            {"shards", save_as_shards, value_found, true},
                            {"in_turn", save_in_turn, value_found, true},
                            {"first_format", save_as_slices, value_found, false},
                            {"safetensors", save_tensors, tensors_found, false},
                            {"text", publish, published, false}};
  std::vector<CrashWay> all(std::begin(quick), std::end(quick));
  for (CrashWay way : quick) {
    way.is_long = true;
    all.push_back(way);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, PowerLoss, testing::ValuesIn(crash_ways()), [](const auto& info) {
  return str_cat(info.param.name, info.param.is_long ? "_long" : "");
});

// --- logs ----------------------------------------------------------------------------------------

class PowerLossOfLogs : public testing::Test {
 protected:
  PowerLossOfLogs() {
    set_durable_files(true);
    crash_disk().format();
    make_durable_directories(kCrashFolder);
  }

  // An event whose size changes, so that records end anywhere in a sector.
  static tensorflow::Event event(int step) {
    tensorflow::Event made;
    made.set_step(step);
    made.mutable_summary()->add_value()->set_tag(
        std::string(static_cast<std::size_t>(step * 37 % 300), 't'));
    return made;
  }

  // The steps that can be read are 1, 2, ...; how many.
  static int steps_in(const std::string& path) {
    EventReader reader(path);
    tensorflow::Event read;
    int steps = 0;
    const std::string cut = error_of([&] {
      while (reader.read(&read)) {
        if (read.has_file_version()) continue;
        EXPECT_EQ(read.SerializeAsString(), event(++steps).SerializeAsString());
      }
    });
    EXPECT_TRUE(cut.empty() || cut.starts_with("DataLoss")) << cut;
    return steps;
  }

  void cut_everywhere(int events, std::uint64_t seeds) {
    std::vector<std::pair<std::size_t, int>> synced;  // operations, and the events they promise
    EventWriter writer(kCrashFolder + "/events");
    const std::string path = writer.path();
    for (int step = 1; step <= events; ++step) {
      writer.write(event(step));
      if (step % 4 > 0) continue;
      writer.sync();
      synced.emplace_back(crash_disk().log()->size(), step);
    }
    writer.close();
    synced.emplace_back(crash_disk().log()->size(), events);
    const auto log = crash_disk().log();
    for (std::size_t cut = synced[0].first; cut <= log->size(); ++cut)
      for (const AfterCrash what : kEveryCrash)
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          crash_disk().start_after(*log, cut, what, seed);
          int promised = 0;
          for (const auto& [operations, steps] : synced)
            if (operations <= cut) promised = steps;
          ASSERT_GE(steps_in(path), promised)
              << cut << " " << static_cast<int>(what) << " " << seed;
        }
  }
};

TEST_F(PowerLossOfLogs, events) { cut_everywhere(30, 3); }
TEST_F(PowerLossOfLogs, events_long) { cut_everywhere(200, 60); }

TEST_F(PowerLossOfLogs, records_are_there_once_they_are_closed) {
  const std::string path = kCrashFolder + "/data.tfrecord";
  for (const Compression packed : {Compression::none, Compression::zlib, Compression::gzip}) {
    RecordWriter writer(path, {.compression = packed});
    for (int i = 0; i < 50; ++i) writer.write(std::string(100, 'a'));
    writer.close();
    const auto log = crash_disk().log();
    crash_disk().start_after(*log, log->size(), AfterCrash::nothing, 0);
    RecordReader reader(path, {.compression = packed});
    int count = 0;
    while (reader.skip()) ++count;
    EXPECT_EQ(count, 50);
  }
}

}  // namespace
}  // namespace rill
