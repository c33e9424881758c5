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

#include "rill/base/flush_denormals.h"
#include "rill/base/forks.h"
#include "rill/base/thread_limit.h"

namespace rill {
namespace {

constexpr auto kSpin = std::chrono::microseconds(50);
constexpr int kSpinsBeforeYield = 1000;  // a helper that lost its core needs ours

// A part of a job's ranges. One thread, its owner, takes them from the front; whoever has none left
// of its own takes them from the back.
struct alignas(64) Seat {
  std::size_t front = 0;  // the owner's alone
  std::atomic<std::size_t> back{0};
  std::atomic<std::ptrdiff_t> left{0};
  std::atomic<bool> owned{false};

  void reset(std::size_t begin, std::size_t end) {
    front = begin;
    back.store(end, std::memory_order_relaxed);
    left.store(static_cast<std::ptrdiff_t>(end - begin), std::memory_order_relaxed);
  }
  bool is_empty() const { return left.load(std::memory_order_relaxed) <= 0; }
  // Whoever has claimed one finds it: no more are claimed than there are.
  bool claim() { return !is_empty() && left.fetch_sub(1, std::memory_order_relaxed) > 0; }
  std::size_t take_front() { return front++; }
  std::size_t take_back() { return back.fetch_sub(1, std::memory_order_relaxed) - 1; }
};

// One parallel_for in flight. The ranges are cut into a seat for each thread, and a thread of the
// pool has the same seat in every job: what it wrote in one kernel it reads in the next, and its
// core's cache still has it. The job lives on the caller's stack and leaves the list before the
// caller returns.
struct Job {
  static constexpr std::size_t kMaxSeats = 16;

  std::size_t total, grain;
  FunctionRef<void(std::size_t, std::size_t)> body;
  int max_helpers;
  std::size_t seat_count;
  Seat seats[kMaxSeats];
  std::atomic<int> helpers{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error = nullptr;

  Job(std::size_t total, std::size_t grain, std::size_t range_count,
      FunctionRef<void(std::size_t, std::size_t)> body, int thread_count)
      : total(total),
        grain(grain),
        body(body),
        max_helpers(thread_count - 1),
        seat_count(std::min({kMaxSeats, static_cast<std::size_t>(thread_count), range_count})) {
    const std::size_t each = range_count / seat_count, longer = range_count % seat_count;
    for (std::size_t i = 0, begin = 0; i < seat_count; ++i) {
      const std::size_t end = begin + each + (i < longer ? 1 : 0);
      seats[i].reset(begin, end);
      begin = end;
    }
  }

  bool takes_helpers() const {
    return helpers.load(std::memory_order_relaxed) < max_helpers &&
           std::any_of(seats, seats + seat_count, [](const Seat& s) { return !s.is_empty(); });
  }

  // `thread` is 0 for the caller, then the number of a worker.
  void work(std::size_t thread) {
    const std::size_t home = thread % seat_count;
    if (Seat& seat = seats[home]; !seat.owned.exchange(true, std::memory_order_acq_rel))
      while (seat.claim()) run(seat.take_front());
    for (std::size_t i = 0; i < seat_count; ++i)
      for (Seat& seat = seats[(home + i) % seat_count]; seat.claim();) run(seat.take_back());
  }

  void run(std::size_t range) {
    if (failed.load(std::memory_order_relaxed)) return;
    try {
      body(range * grain, std::min(total, (range + 1) * grain));
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
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
  std::atomic<std::size_t> announced{0};  // tasks and jobs so far: what a spinning worker looks at
  int sleeping = 0;
  bool stopping = false;
  const int made_after = fork_count();
  std::vector<std::thread> workers;

  // Nobody but the caller is there to work.
  bool is_alone() const { return workers.empty() || made_after != fork_count(); }

  void announce(bool to_all) {  // with the mutex held, after adding work
    announced.fetch_add(1, std::memory_order_release);
    if (sleeping == 0) return;
    to_all ? wake.notify_all() : wake.notify_one();
  }

  // Runs one task or helps one job; false when there was nothing to do. `worker` is its number.
  bool run_one(std::size_t worker) {
    std::unique_lock lock(mutex);
    for (Job* job : jobs) {
      if (!job->takes_helpers()) continue;
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      job->work(worker);
      job->helpers.fetch_sub(1, std::memory_order_release);
      return true;
    }
    if (tasks.empty()) return false;
    auto task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task();
    return true;
  }

  void loop(std::size_t worker) {
    const FlushDenormals flush;
    for (;;) {
      const std::size_t seen = announced.load(std::memory_order_acquire);
      if (run_one(worker)) continue;
      const auto until = std::chrono::steady_clock::now() + kSpin;
      while (announced.load(std::memory_order_acquire) == seen &&
             std::chrono::steady_clock::now() < until)
        relax();
      if (announced.load(std::memory_order_acquire) != seen) continue;
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
    for (int i = 1; i < thread_count_; ++i)
      impl_->workers.emplace_back([this, i] { impl_->loop(static_cast<std::size_t>(i)); });
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // The system gives no more threads: those that started do the work, and results are the same.
  }
}

ThreadPool::~ThreadPool() {
  if (impl_->made_after != fork_count()) {  // they run in the parent alone
    [[maybe_unused]] Impl* left_alone = impl_.release();
    return;
  }
  {
    std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_all();
  for (auto& worker : impl_->workers) worker.join();
}

void ThreadPool::schedule(std::function<void()> task) {
  if (impl_->is_alone()) return task();
  std::lock_guard lock(impl_->mutex);
  impl_->tasks.push_back(std::move(task));
  impl_->announce(/*to_all=*/false);
}

void ThreadPool::parallel_for(std::size_t total, std::size_t grain,
                              FunctionRef<void(std::size_t, std::size_t)> body) {
  if (total == 0) return;
  const FlushDenormals flush;  // as the workers do
  grain = std::max<std::size_t>(grain, 1);
  if (total <= grain) return body(0, total);
  const std::size_t range_count = (total - 1) / grain + 1;
  if (impl_->is_alone() || ThreadLimit::now() <= 1) {
    for (std::size_t i = 0; i < range_count; ++i) body(i * grain, std::min(total, (i + 1) * grain));
    return;
  }
  Job job(total, grain, range_count, body, std::min(thread_count_, ThreadLimit::now()));
  {
    std::lock_guard lock(impl_->mutex);
    impl_->jobs.push_back(&job);
    impl_->announce(/*to_all=*/true);
  }
  job.work(0);
  {
    std::lock_guard lock(impl_->mutex);
    std::erase(impl_->jobs, &job);
  }
  for (int spins = 0; job.helpers.load(std::memory_order_acquire) > 0; ++spins)
    spins < kSpinsBeforeYield ? relax() : std::this_thread::yield();
  if (job.error) std::rethrow_exception(job.error);
}

namespace {

struct SharedPool {
  ThreadPool pool{static_cast<int>(std::thread::hardware_concurrency())};
};

}  // namespace

thread_local int ThreadLimit::now_ = ThreadLimit::kNone;

std::uint32_t thread_number() {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

ThreadPool& shared_pool() { return of_this_process<SharedPool>().pool; }

}  // namespace rill
