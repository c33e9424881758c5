#include "rill/base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "rill/base/thread_limit.h"

namespace rill {
namespace {

using Range = std::pair<std::size_t, std::size_t>;

std::set<Range> ranges(int thread_count, std::size_t total, std::size_t grain) {
  ThreadPool pool(thread_count);
  std::mutex mutex;
  std::set<Range> seen;
  pool.parallel_for(total, grain, [&](std::size_t begin, std::size_t end) {
    std::lock_guard lock(mutex);
    EXPECT_TRUE(seen.emplace(begin, end).second);
  });
  return seen;
}

TEST(ThreadPool, ranges_do_not_depend_on_the_number_of_threads) {
  for (const auto& [total, grain] : std::vector<Range>{{100, 7}, {5, 5}, {6, 5}, {64, 1}, {3, 0}}) {
    const auto expected = ranges(1, total, grain);
    EXPECT_EQ(ranges(2, total, grain), expected);
    EXPECT_EQ(ranges(5, total, grain), expected);
  }
  EXPECT_EQ(ranges(3, 10, 4), (std::set<Range>{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_TRUE(ranges(3, 0, 4).empty());
}

TEST(ThreadPool, every_index_is_visited_once) {
  ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::atomic<int>> visits(1000);
    pool.parallel_for(visits.size(), 3, [&](std::size_t begin, std::size_t end) {
      for (; begin < end; ++begin) ++visits[begin];
    });
    for (const auto& count : visits) ASSERT_EQ(count, 1);
  }
}

// A worker that finds nothing left while the caller is still busy waits awake for the next job:
// to wake it takes longer than many a job.
TEST(ThreadPool, a_worker_between_two_jobs_keeps_spinning) {
  constexpr int kJobs = 2000;
  ThreadPool pool(2);
  const auto sleeps = [] {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_nvcsw;
  };
  const auto before = sleeps();
  for (int job = 0; job < kJobs; ++job)
    pool.parallel_for(2, 1, [](std::size_t begin, std::size_t) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(10);
      while (begin == 0 && std::chrono::steady_clock::now() < until) {
      }
    });
  EXPECT_LT(sleeps() - before, kJobs / 2);
}

// Each thread begins with a part of its own, the same one in every call: both wait here until the
// other has begun too.
TEST(ThreadPool, a_thread_has_the_same_part_in_every_call) {
  ThreadPool pool(2);
  std::set<std::thread::id> first, second;
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> begun{0};
    std::thread::id at[2];
    pool.parallel_for(2, 1, [&](std::size_t begin, std::size_t) {
      at[begin] = std::this_thread::get_id();
      ++begun;
      while (begun < 2) std::this_thread::yield();
    });
    first.insert(at[0]);
    second.insert(at[1]);
  }
  EXPECT_EQ(first, std::set{std::this_thread::get_id()});
  EXPECT_EQ(second.size(), 1u);
  EXPECT_FALSE(second.contains(std::this_thread::get_id()));
}

TEST(ThreadPool, idle_workers_steal_work) {
  ThreadPool pool(2);
  std::vector<std::thread::id> at(64);
  std::atomic<std::size_t> ended{0};
  pool.parallel_for(at.size(), 1, [&](std::size_t begin, std::size_t) {
    at[begin] = std::this_thread::get_id();
    if (begin == 0)  // the caller's first one ends last
      while (ended + 1 < at.size()) std::this_thread::yield();
    ++ended;
  });
  EXPECT_NE(at[1], std::this_thread::get_id());
  EXPECT_EQ(ended, at.size());
}

TEST(ThreadPool, calls_may_be_nested) {
  ThreadPool pool(4);
  std::atomic<int> count{0};
  pool.parallel_for(8, 1, [&](std::size_t, std::size_t) {
    pool.parallel_for(8, 1, [&](std::size_t, std::size_t) {
      pool.parallel_for(8, 1, [&](std::size_t, std::size_t) { ++count; });
    });
  });
  EXPECT_EQ(count, 512);
}

TEST(ThreadPool, calls_may_come_from_several_threads_and_from_tasks) {
  std::atomic<int> count{0};
  {
    ThreadPool pool(3);
    const auto loop = [&] {
      for (int i = 0; i < 50; ++i)
        pool.parallel_for(20, 1, [&](std::size_t, std::size_t) { ++count; });
    };
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) callers.emplace_back(loop);
    pool.schedule(loop);
    for (auto& caller : callers) caller.join();
  }
  EXPECT_EQ(count, 5 * 50 * 20);
}

TEST(ThreadPool, an_exception_reaches_the_caller_after_the_running_ranges) {
  for (const int thread_count : {1, 4}) {
    ThreadPool pool(thread_count);
    std::atomic<int> running{0};
    const auto body = [&](std::size_t begin, std::size_t) {
      ++running;
      if (begin == 10) {
        --running;
        throw std::runtime_error("range 10");
      }
      --running;
    };
    for (int round = 0; round < 50; ++round) {
      EXPECT_THROW(pool.parallel_for(100, 1, body), std::runtime_error);
      EXPECT_EQ(running, 0);
    }
  }
}

TEST(ThreadPool, an_exception_passes_through_nested_calls) {
  ThreadPool pool(4);
  EXPECT_THROW(pool.parallel_for(4, 1,
                                 [&](std::size_t, std::size_t) {
                                   pool.parallel_for(4, 1, [](std::size_t begin, std::size_t) {
                                     if (begin == 2) throw std::runtime_error("inner");
                                   });
                                 }),
               std::runtime_error);
}

TEST(ThreadPool, shares_out_to_no_more_threads_than_the_limit) {
  ThreadPool pool(4);
  for (const std::size_t most : {1, 2, 3}) {
    const ThreadLimit limit(static_cast<int>(most));
    for (int round = 0; round < 20; ++round) {
      std::mutex mutex;
      std::set<std::thread::id> threads;
      std::atomic<int> done{0};
      pool.parallel_for(30, 1, [&](std::size_t, std::size_t) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        ++done;
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
      EXPECT_EQ(done, 30);
      EXPECT_LE(threads.size(), most);
    }
  }
  EXPECT_EQ(ThreadLimit::now(), ThreadLimit::kNone);
}

TEST(ThreadPool, ends_after_everything_scheduled_has_run) {
  for (const int thread_count : {0, 1, 2, 4}) {
    std::atomic<int> count{0};
    {
      ThreadPool pool(thread_count);
      for (int i = 0; i < 100; ++i) pool.schedule([&] { ++count; });
    }
    EXPECT_EQ(count, 100);
  }
}

TEST(ThreadPool, tasks_may_schedule_tasks) {
  std::atomic<int> count{0};
  {
    ThreadPool pool(3);
    for (int i = 0; i < 20; ++i)
      pool.schedule([&] {
        ++count;
        pool.schedule([&] { ++count; });
      });
  }
  EXPECT_EQ(count, 40);
}

}  // namespace
}  // namespace rill
