#include "rill/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "rill/base/thread_limit.h"

namespace rill {
namespace {

constexpr auto kSpin = std::chrono::microseconds(50);
constexpr int kSpinsBeforeYield = 1000;  // a helper that lost its core needs ours

// One parallel_for in flight. Ranges are claimed by an atomic counter, so whoever is free takes the
// next one; the job lives on the caller's stack and leaves the list before the caller returns.
struct Job {
  std::size_t total, grain, range_count;
  const FunctionRef<void(std::size_t, std::size_t)>* body;
  int most_helpers;
  std::atomic<std::size_t> next{0};
  std::atomic<int> helpers{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error = nullptr;

  bool takes_helpers() const {
    return next.load(std::memory_order_relaxed) < range_count &&
           helpers.load(std::memory_order_relaxed) < most_helpers;
  }

  void work() {
    for (;;) {
      const auto i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= range_count) return;
      if (failed.load(std::memory_order_relaxed)) continue;
      try {
        (*body)(i * grain, std::min(total, (i + 1) * grain));
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
      }
    }
  }
};

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

struct ThreadPool::Impl {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::function<void()>> tasks;
  std::vector<Job*> jobs;
  std::atomic<int> work_count{0};  // tasks and open jobs: what a spinning worker looks at
  int sleeping = 0;
  bool stopping = false;
  std::vector<std::thread> workers;

  void announce(bool to_all) {  // with the mutex held, after adding work
    work_count.fetch_add(1, std::memory_order_release);
    if (sleeping == 0) return;
    to_all ? wake.notify_all() : wake.notify_one();
  }

  // Runs one task or helps one job; false when there was nothing to do.
  bool run_one() {
    std::unique_lock lock(mutex);
    for (Job* job : jobs) {
      if (!job->takes_helpers()) continue;
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      job->work();
      job->helpers.fetch_sub(1, std::memory_order_release);
      return true;
    }
    if (tasks.empty()) return false;
    auto task = std::move(tasks.front());
    tasks.pop_front();
    work_count.fetch_sub(1, std::memory_order_relaxed);
    lock.unlock();
    task();
    return true;
  }

  void loop() {
    for (;;) {
      if (work_count.load(std::memory_order_acquire) > 0 && run_one()) continue;
      const auto until = std::chrono::steady_clock::now() + kSpin;
      while (work_count.load(std::memory_order_acquire) == 0 &&
             std::chrono::steady_clock::now() < until)
        relax();
      if (work_count.load(std::memory_order_acquire) > 0 && run_one()) continue;
      std::unique_lock lock(mutex);
      if (stopping && tasks.empty()) return;
      ++sleeping;
      wake.wait(lock, [&] { return stopping || !tasks.empty() || open_job(); });
      --sleeping;
    }
  }

  bool open_job() const {
    for (const Job* job : jobs)
      if (job->takes_helpers()) return true;
    return false;
  }
};

ThreadPool::ThreadPool(int thread_count)
    : thread_count_(std::max(1, thread_count)), impl_(std::make_unique<Impl>()) {
  try {
    for (int i = 1; i < thread_count_; ++i) impl_->workers.emplace_back([this] { impl_->loop(); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those that started do the work, and results are the same.
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_all();
  for (auto& worker : impl_->workers) worker.join();
}

void ThreadPool::schedule(std::function<void()> task) {
  if (impl_->workers.empty()) return task();
  std::lock_guard lock(impl_->mutex);
  impl_->tasks.push_back(std::move(task));
  impl_->announce(/*to_all=*/false);
}

void ThreadPool::parallel_for(std::size_t total, std::size_t grain,
                              FunctionRef<void(std::size_t, std::size_t)> body) {
  if (total == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  if (total <= grain) return body(0, total);
  const std::size_t range_count = (total - 1) / grain + 1;
  if (impl_->workers.empty() || ThreadLimit::now() <= 1) {
    for (std::size_t i = 0; i < range_count; ++i) body(i * grain, std::min(total, (i + 1) * grain));
    return;
  }
  Job job{.total = total,
          .grain = grain,
          .range_count = range_count,
          .body = &body,
          .most_helpers = ThreadLimit::now() - 1};
  {
    std::lock_guard lock(impl_->mutex);
    impl_->jobs.push_back(&job);
    impl_->announce(/*to_all=*/true);
  }
  job.work();
  {
    std::lock_guard lock(impl_->mutex);
    std::erase(impl_->jobs, &job);
    impl_->work_count.fetch_sub(1, std::memory_order_relaxed);
  }
  for (int spins = 0; job.helpers.load(std::memory_order_acquire) > 0; ++spins)
    spins < kSpinsBeforeYield ? relax() : std::this_thread::yield();
  if (job.error) std::rethrow_exception(job.error);
}

thread_local int ThreadLimit::now_ = ThreadLimit::kNone;

std::uint32_t thread_number() {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

ThreadPool& shared_pool() {
  static ThreadPool pool(static_cast<int>(std::thread::hardware_concurrency()));
  return pool;
}

}  // namespace rill
