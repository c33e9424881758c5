#include "rill/base/simulated_threads.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kLong = 1'000'000'000'000;

// Ten threads that take a mutex in turns, sleep and wait for each other; what they did.
std::string story_of(std::uint64_t seed) {
  SimulatedThreads threads(seed);
  std::string story;
  LongMutex mutex;
  std::mutex short_mutex;
  Condition changed;
  int ended = 0;
  for (int i = 0; i < 10; ++i)
    threads.start_in(1, [&, i] {
      pause_for(std::chrono::nanoseconds(threads.below(1000)));
      {
        const std::lock_guard lock(mutex);
        story += static_cast<char>('a' + i);
        pause_for(1s);  // with the mutex
        story += static_cast<char>('A' + i);
      }
      const std::lock_guard lock(short_mutex);
      ++ended;
      changed.notify_all();
    });
  bool all = false;
  threads.start_in(1, [&] {
    std::unique_lock lock(short_mutex);
    EXPECT_FALSE(changed.wait_for(lock, 1ms, [&] { return ended == 10; }));
    changed.wait(lock, [&] { return ended == 10; });
    all = true;
  });
  threads.run(kLong);
  EXPECT_TRUE(all);
  EXPECT_EQ(threads.thread_count(), 0u);
  EXPECT_GE(threads.now_nanos(), 10'000'000'000);
  return story + std::to_string(threads.trace());
}

TEST(SimulatedThreads, a_seed_is_one_run) {
  EXPECT_EQ(story_of(1), story_of(1));
  EXPECT_NE(story_of(1), story_of(2));
}

TEST(SimulatedThreads, whoever_holds_a_long_mutex_holds_it_alone) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const std::string story = story_of(seed);
    for (std::size_t i = 0; i < 20; i += 2) EXPECT_EQ(story[i] - 'a', story[i + 1] - 'A') << story;
  }
}

TEST(SimulatedThreads, joins_clocks_and_exceptions_are_each_threads_own) {
  SimulatedThreads threads(3);
  std::string caught;
  threads.start_in(1, [&] {
    const std::int64_t began = monotonic_nanos(), wall = wall_micros();
    Thread other([] { pause_for(5s); });
    other.join();
    EXPECT_EQ(monotonic_nanos() - began, 5'000'000'000);
    EXPECT_EQ(wall_micros() - wall, 5'000'000);
    run_in_background([&] { caught += "background "; });
  });
  for (int i = 0; i < 3; ++i)
    threads.start_in(1, [&, i] {
      try {
        raise(Code::kAborted, "number ", i);
      } catch (const Error&) {
        pause_for(std::chrono::seconds(3 - i));  // others handle theirs meanwhile
        try {
          throw;
        } catch (const Error& error) {
          caught += error.message() + " ";
        }
      }
    });
  threads.run(kLong);
  EXPECT_EQ(caught, "number 2 number 1 number 0 background ");
}

TEST(SimulatedThreads, a_paused_process_goes_on_where_it_was) {
  SimulatedThreads threads(4);
  std::int64_t woke = 0, other = 0;
  threads.start_in(1, [&] {
    pause_for(1s);
    woke = monotonic_nanos();
  });
  threads.start_in(2, [&] {
    pause_for(2s);
    other = monotonic_nanos();
  });
  threads.start_at(500'000'000, 0, [&] { threads.pause(1); });
  threads.start_at(7'000'000'000, 0, [&] { threads.resume(1); });
  threads.run(kLong);
  EXPECT_EQ(woke, 7'000'000'000);
  EXPECT_NEAR(static_cast<double>(other), 2e9, 10);
}

TEST(SimulatedThreads, what_a_thread_throws_ends_the_run) {
  SimulatedThreads threads(5);
  threads.start_in(1, [] { raise(Code::kInternal, "lost"); });
  EXPECT_THROW(threads.run(kLong), Error);
}

TEST(SimulatedThreads, without_one_all_are_the_machines_own) {
  EXPECT_EQ(Scheduler::here(), nullptr);
  LongMutex mutex;
  int count = 0;
  std::vector<Thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (Thread& thread : threads) thread.join();
  EXPECT_EQ(count, 4000);
  std::mutex other;
  std::unique_lock lock(other);
  Condition never;
  EXPECT_EQ(never.wait_for(lock, 1ms), std::cv_status::timeout);
}

}  // namespace
}  // namespace rill
