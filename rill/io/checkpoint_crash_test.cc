// Writers that are killed, run out of room or meet each other: the last whole checkpoint stays.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "rill/base/durable_files.h"
#include "rill/base/file_system.h"
#include "rill/base/file_testing.h"
#include "rill/io/bundle_publish.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/slice_file_writer.h"

namespace rill {
namespace {

constexpr std::int64_t kElements = 8;

Tensor filled(float value) {
  Tensor tensor(DType::f32, {kElements});
  std::fill_n(tensor.data<float>(), kElements, value);
  return tensor;
}

// Every tensor of the checkpoint has this one value; -1 when it is not of one save.
float value_of(const std::string& prefix) {
  const auto reader = CheckpointReader::open(prefix);
  const float value = reader->read("a").data<float>()[0];
  for (const char* name : {"a", "b"})
    if (!identical(reader->read(name), filled(value))) return -1;
  return value;
}

void save(const std::string& prefix, float value) {
  BundleWriter writer(prefix);
  writer.add("a", filled(value));
  writer.add("b", filled(value));
  writer.finish();
}

void save_sharded(const std::string& prefix, float value) {
  std::vector<std::string> parts;
  for (const char* name : {"a", "b"}) {
    BundleWriter writer(parts.emplace_back(str_cat(prefix, "_temp/part-", name)));
    writer.add(name, filled(value));
    writer.finish();
  }
  merge_bundles(parts, prefix);
}

void save_first_format(const std::string& prefix, float value) {
  SliceFileWriter writer(prefix);
  writer.add("a", filled(value));
  writer.add("b", filled(value));
  writer.finish();
}

using Save = void (*)(const std::string& prefix, float value);

// Runs `action` in a process that ends before its system call number `last`. False when it was
// through before; nothing where processes may not be followed.
std::optional<bool> killed_at(int last, const std::function<void()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(9);
    ::raise(SIGSTOP);
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return std::nullopt;
  for (int stops = 0; stops < 2 * last - 1; ++stops) {  // each call stops it twice
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) return false;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return true;
}

class Crash : public testing::Test {
 protected:
  // The writer is killed before each of its system calls in turn.
  void kill_everywhere(Save save_one) {
    save_one(prefix, 1);
    std::size_t seen_old = 0, seen_new = 0;
    for (int call = 1;; ++call) {
      const float before = value_of(prefix), after = before + 1;
      const auto killed = killed_at(call, [&] { save_one(prefix, after); });
      if (!killed) GTEST_SKIP() << "processes may not be followed here";
      const float found = value_of(prefix);
      EXPECT_TRUE(found == before || found == after) << "killed at call " << call;
      ++(found == before ? seen_old : seen_new);
      if (!*killed) {
        EXPECT_EQ(found, after);
        break;
      }
      ASSERT_LT(call, 10'000);
    }
    EXPECT_GT(seen_old, 10u);
    save_one(prefix, 7);  // and clears away what is left
    EXPECT_EQ(value_of(prefix), 7);
  }

  std::vector<std::string> names() { return local_files().list(directory.path()); }

  ScratchDirectory directory;
  const std::string prefix = directory / "model";
};

TEST_F(Crash, at_every_system_call) {
  kill_everywhere(save);
  EXPECT_EQ(names(), (std::vector<std::string>{"model.data-00000-of-00001", "model.index"}));
}

TEST_F(Crash, of_sharded_saves_at_every_system_call) {
  kill_everywhere(save_sharded);
  EXPECT_EQ(names(), (std::vector<std::string>{"model.data-00000-of-00002",
                                               "model.data-00001-of-00002", "model.index"}));
}

TEST_F(Crash, of_the_first_format_at_every_system_call) {
  kill_everywhere(save_first_format);
  EXPECT_EQ(names(), std::vector<std::string>{"model"});
}

TEST_F(Crash, when_the_number_of_shards_changes) {
  save(prefix, 1);
  save_sharded(prefix, 2);
  EXPECT_EQ(value_of(prefix), 2);
  EXPECT_EQ(names().size(), 3u);
  save(prefix, 3);
  EXPECT_EQ(value_of(prefix), 3);
  EXPECT_EQ(names(), (std::vector<std::string>{"model.data-00000-of-00001", "model.index"}));
}

// Files cannot grow beyond so many bytes while this lives: as if the disk were full.
class RoomFor {
 public:
  explicit RoomFor(rlim_t bytes) : signal_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit less = before_;
    less.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  ~RoomFor() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int);
};

// Disks take their time to sync, and these are many saves; power_loss_test.cc has the syncs.
class FullDisk : public Crash, public testing::WithParamInterface<Save> {
 protected:
  FullDisk() : durable_(durable_files()) { set_durable_files(false); }
  ~FullDisk() override { set_durable_files(durable_); }

 private:
  const bool durable_;
};

TEST_P(FullDisk, leaves_the_last_checkpoint) {
  GetParam()(prefix, 1);
  int failed = 0;
  const rlim_t all = 2 * kElements * sizeof(float) + 300;
  for (rlim_t room = 0; room < all; ++room) {
    const float before = value_of(prefix);
    std::string error;
    {
      const RoomFor little(room);
      error = error_of([&] { GetParam()(prefix, before + 1); });
    }
    EXPECT_EQ(value_of(prefix), error.empty() ? before + 1 : before) << room << " " << error;
    failed += error.empty() ? 0 : 1;
  }
  EXPECT_GT(failed, 50);
  for (const std::string& name : names())
    EXPECT_TRUE(name.find("tempstate") == std::string::npos && !name.starts_with('.')) << name;
}
INSTANTIATE_TEST_SUITE_P(All, FullDisk, testing::Values(save, save_sharded, save_first_format));

TEST_F(Crash, second_writers_are_refused) {
  save(prefix, 1);
  {
    BundleWriter first(prefix);
    const std::string error = error_of([&] { save(prefix, 2); });
    EXPECT_TRUE(error.starts_with("FailedPrecondition: checkpoint " + prefix +
                                  " is being written by process " + std::to_string(::getpid())))
        << error;
    EXPECT_NE(error.find(directory / ".model.save.lock"), std::string::npos) << error;
    EXPECT_TRUE(error_of([&] { save_first_format(prefix, 2); }).starts_with("FailedPrecondition"));
    save(directory / "other", 2);  // is not in the way
    first.add("a", filled(3));
    first.add("b", filled(3));
    first.finish();
  }
  EXPECT_EQ(value_of(prefix), 3);
  save(prefix, 4);
  EXPECT_EQ(value_of(prefix), 4);
  EXPECT_EQ(names().size(), 4u);
}

TEST_F(Crash, locks_of_killed_processes_are_released) {
  const std::string lock = directory / ".model.save.lock";
  write_file(lock, "process 1 of elsewhere\n");
  write_file(prefix + ".data-00000-of-00001.tempstate17", "half");
  save(prefix, 1);
  EXPECT_EQ(value_of(prefix), 1);
  EXPECT_EQ(names(), (std::vector<std::string>{"model.data-00000-of-00001", "model.index"}));
}

TEST_F(Crash, processes_refuse_each_other) {
  const auto in_child = [](const std::function<bool()>& action) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(action() ? 1 : 0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
  };
  const std::string owner = "process " + std::to_string(::getpid());
  BundleWriter first(prefix);
  EXPECT_TRUE(in_child(
      [&] { return error_of([&] { save(prefix, 2); }).find(owner) != std::string::npos; }));
  first.add("a", filled(3));
  first.add("b", filled(3));
  first.finish();
  EXPECT_TRUE(in_child([&] { return error_of([&] { save(prefix, 2); }).empty(); }));
  EXPECT_EQ(value_of(prefix), 2);
}

}  // namespace
}  // namespace rill
