#include "rill/serve/core/manager.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>

namespace rill::serve {
namespace {

struct Number : Servable {
  explicit Number(int value, std::atomic<int>* alive) : value(value), alive(alive) { ++*alive; }
  ~Number() override { --*alive; }
  const int value;
  std::atomic<int>* const alive;
};

struct NumberLoader : Loader {
  NumberLoader(int value, std::atomic<int>* alive, std::atomic<int>* failures = nullptr)
      : value(value), alive(alive), failures(failures) {}
  std::shared_ptr<Servable> load() override {
    if (failures != nullptr && (*failures)-- > 0) raise(Code::kDataLoss, "broken for now");
    return std::make_shared<Number>(value, alive);
  }
  const int value;
  std::atomic<int>*const alive, *const failures;
};

class ManagerTest : public testing::Test {
 protected:
  Aspired<LoaderRef> number(std::int64_t version, std::atomic<int>* failures = nullptr) {
    return {{"m", version},
            std::make_shared<NumberLoader>(static_cast<int>(version) * 10, &alive_, failures),
            {}};
  }
  static bool await(const std::function<bool()>& done) {
    for (int i = 0; i < 2000; ++i) {
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  static State state_of(const Manager& manager, std::int64_t version) {
    for (const VersionStatus& status : manager.statuses("m"))
      if (status.version == version) return status.state;
    return State::kUnknown;
  }
  static bool settle(Manager& manager) { return manager.wait_until_settled({"m"}, {}).empty(); }

  std::atomic<int> alive_ = 0;
};

TEST_F(ManagerTest, serves_aspired_versions) {
  Manager manager({});
  manager.set_aspired("m", {number(1), number(2)});
  EXPECT_TRUE(await([&] { return manager.available().size() == 2; }));
  EXPECT_EQ(manager.find("m", std::nullopt).as<Number>().value, 20);
  EXPECT_EQ(manager.find("m", 1).as<Number>().value, 10);
  EXPECT_EQ(manager.find("m", 1).id(), (ServableId{"m", 1}));
  const auto statuses = manager.statuses("m");
  ASSERT_EQ(statuses.size(), 2u);
  EXPECT_EQ(statuses[0].version, 2);  // the highest first
}

// A servable that knows how nice the thread was that loaded it.
struct Niceness : Servable {
  int value = 0;
};
struct NicenessLoader : Loader {
  explicit NicenessLoader(bool quiet) : quiet(quiet) {}
  std::shared_ptr<Servable> load() override {
    auto loaded = std::make_shared<Niceness>();
    loaded->value = getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
    return loaded;
  }
  bool may_be_quiet() const override { return quiet; }
  const bool quiet;
};

TEST_F(ManagerTest, loads_quietly_while_something_serves) {
  Manager manager({});
  const int usual = getpriority(PRIO_PROCESS, 0);
  const auto niceness = [&](const std::string& name, bool quiet) {
    manager.set_aspired(name, {{{name, 1}, std::make_shared<NicenessLoader>(quiet), {}}});
    EXPECT_TRUE(manager.wait_until_settled({name}, {}).empty());
    return manager.find(name, 1).as<Niceness>().value;
  };
  EXPECT_EQ(niceness("first", true), usual);
  constexpr int kNicest = 19;  // of all: a process that is so already stays so
  EXPECT_GE(niceness("second", true), std::min(usual + 1, kNicest));
  EXPECT_EQ(niceness("third", false), usual);
}

TEST_F(ManagerTest, unknown_models_and_versions) {
  Manager manager({});
  const auto error_of = [&](std::optional<std::int64_t> version) -> std::string {
    try {
      manager.find("m", version);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kNotFound);
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(error_of(std::nullopt), "Servable not found for request: Latest(m)");
  EXPECT_EQ(error_of(7), "Servable not found for request: Specific(m, 7)");
  EXPECT_TRUE(manager.statuses("m").empty());
}

TEST_F(ManagerTest, of_another_kind) {
  struct Other : Servable {};
  Manager manager({});
  manager.set_aspired("m", {number(1)});
  ASSERT_TRUE(settle(manager));
  EXPECT_THROW(manager.find("m", 1).as<Other>(), Error);
}

TEST_F(ManagerTest, a_request_keeps_its_version) {
  Manager manager({});
  manager.set_aspired("m", {number(1)});
  ASSERT_TRUE(settle(manager));
  auto handle = std::make_optional(manager.find("m", 1));
  manager.set_aspired("m", {number(2)});
  EXPECT_TRUE(await([&] { return state_of(manager, 1) == State::kUnloading; }));
  EXPECT_THROW(manager.find("m", 1), Error);  // not for new requests
  EXPECT_EQ(handle->as<Number>().value, 10);
  EXPECT_EQ(alive_, 2);
  handle.reset();
  EXPECT_TRUE(await([&] { return state_of(manager, 1) == State::kEnd; }));
  EXPECT_EQ(alive_, 1);
}

TEST_F(ManagerTest, retries_and_then_gives_up) {
  std::atomic<int> twice = 2, always = 1000;
  Manager manager({.max_load_retries = 2, .load_retry_interval_micros = 1000});
  manager.set_aspired("m", {number(1, &twice)});
  EXPECT_TRUE(settle(manager));
  manager.set_aspired("m", {number(2, &always)});
  EXPECT_TRUE(await([&] { return state_of(manager, 2) == State::kEnd; }));
  EXPECT_EQ(always, 1000 - 3);
  EXPECT_EQ(manager.find("m", std::nullopt).id().version, 1);  // serves on
  EXPECT_EQ(manager.statuses("m")[0].error->code(), Code::kDataLoss);
  manager.set_aspired("m", {number(2, &always)});  // the same again is not tried again
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(always, 1000 - 3);
}

TEST_F(ManagerTest, loading_is_not_retried_once_unwanted) {
  std::atomic<int> failures = 1000;
  Manager manager({.max_load_retries = 1000, .load_retry_interval_micros = 20'000});
  manager.set_aspired("m", {number(1, &failures)});
  EXPECT_TRUE(await([&] { return failures < 998; }));
  manager.set_aspired("m", {number(2)});
  EXPECT_TRUE(await([&] { return state_of(manager, 1) == State::kEnd; }));
  const int left = failures;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(failures, left);
  EXPECT_TRUE(await([&] { return state_of(manager, 2) == State::kAvailable; }));
}

TEST_F(ManagerTest, load_errors_are_reported) {
  std::atomic<int> always = 1000;
  Manager manager({.max_load_retries = 0});
  manager.set_aspired("m", {number(3, &always)});
  const auto failed = manager.wait_until_settled({"m"}, {});
  ASSERT_TRUE(failed.contains("m"));
  EXPECT_EQ(failed.at("m").version, 3);
  EXPECT_EQ(failed.at("m").error->message(), "broken for now");
}

TEST_F(ManagerTest, a_version_can_be_loaded_again) {
  Manager manager({});
  manager.set_aspired("m", {number(1)});
  ASSERT_TRUE(settle(manager));
  auto handle = std::make_optional(manager.find("m", 1));
  manager.set_aspired("m", {});
  EXPECT_TRUE(await([&] { return state_of(manager, 1) == State::kUnloading; }));
  manager.set_aspired("m", {number(1)});  // waits for its older self
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(state_of(manager, 1), State::kUnloading);
  handle.reset();
  EXPECT_TRUE(await([&] { return state_of(manager, 1) == State::kAvailable; }));
  EXPECT_EQ(alive_, 1);
}

TEST_F(ManagerTest, never_without_a_version_while_they_change) {
  Manager manager({});
  manager.set_aspired("m", {number(1)});
  ASSERT_TRUE(settle(manager));
  std::atomic<bool> stop = false;
  std::atomic<int> failures = 0, requests = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([&] {
      while (!stop) try {
          const Handle handle = manager.find("m", std::nullopt);
          if (handle.as<Number>().value != handle.id().version * 10) ++failures;
          ++requests;
        } catch (const Error&) {
          ++failures;
        }
    });
  for (int version = 2; version < 40; ++version) {
    manager.set_aspired("m", {number(version)});
    EXPECT_TRUE(await([&] { return state_of(manager, version) == State::kAvailable; }));
  }
  stop = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(failures, 0);
  EXPECT_GT(requests, 100);
  EXPECT_TRUE(await([&] { return alive_ == 1; }));
}

TEST_F(ManagerTest, resources_first) {
  std::mutex mutex;
  std::vector<std::pair<std::int64_t, State>> seen;
  Manager manager({.policy = TransitionPolicy::kResourcePreserving,
                   .on_status = [&](const ServableId& id, const VersionStatus& status) {
                     const std::lock_guard lock(mutex);
                     seen.emplace_back(id.version, status.state);
                   }});
  manager.set_aspired("m", {number(1)});
  ASSERT_TRUE(settle(manager));
  manager.set_aspired("m", {number(2)});
  EXPECT_TRUE(await([&] { return state_of(manager, 2) == State::kAvailable; }));
  EXPECT_TRUE(await([&] {
    const std::lock_guard lock(mutex);
    return seen.size() == 8;
  }));
  using enum State;
  const std::vector<std::pair<std::int64_t, State>> expected{
      {1, kStart},     {1, kLoading}, {1, kAvailable}, {2, kStart},
      {1, kUnloading}, {1, kEnd},     {2, kLoading},   {2, kAvailable}};
  EXPECT_EQ(seen, expected);
}

TEST_F(ManagerTest, handles_outlive_the_manager) {
  Handle handle;
  {
    Manager manager({});
    manager.set_aspired("m", {number(1)});
    ASSERT_TRUE(settle(manager));
    handle = manager.find("m", 1);
  }
  EXPECT_EQ(handle.as<Number>().value, 10);
  handle = Handle();
  EXPECT_EQ(alive_, 0);
}

}  // namespace
}  // namespace rill::serve
