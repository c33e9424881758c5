#include "rill/api/train/coordinator.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "rill/api/train/misuse.h"
#include "rill/base/blocking.h"
#include "rill/base/log.h"

namespace rill::train {
namespace {

using Seconds = std::chrono::duration<double>;

// Long enough for any program, short enough for clocks.
constexpr double kLongest = 1e8;

Seconds seconds(double count) { return Seconds(std::clamp(count, 0.0, kLongest)); }

bool any_alive(const std::vector<ThreadRef>& threads) {
  return std::ranges::any_of(threads, [](const ThreadRef& thread) { return thread->is_alive(); });
}

bool all_started(const std::vector<ThreadRef>& threads) {
  return std::ranges::all_of(threads, [](const ThreadRef& thread) { return thread->is_started(); });
}

constexpr double kTimeToStart = 1;

}  // namespace

struct WorkThread::State {
  std::atomic<bool> started = false, ended = false;
};

struct WorkThread::Handle {
  std::thread thread;
};

WorkThread::WorkThread(std::string name, std::function<void()> work)
    : name_(std::move(name)),
      work_(std::move(work)),
      state_(std::make_shared<State>()),
      thread_(std::make_shared<Handle>()) {}

WorkThread::~WorkThread() { join(); }

void WorkThread::start() {
  if (state_->started.exchange(true))
    misuse(Code::kFailedPrecondition, "threads can only be started once: ", name_);
  thread_->thread = std::thread([state = state_, work = work_, name = name_] {
    try {
      work();
    } catch (const std::exception& error) {
      log(LogLevel::kError, "Exception in thread ", name, ": ", error.what());
    } catch (...) {
      log(LogLevel::kError, "Exception in thread ", name);
    }
    state->ended = true;
  });
}

void WorkThread::join() {
  const Blocking blocking;
  if (thread_->thread.joinable()) thread_->thread.join();
}

void WorkThread::abandon() {
  if (thread_->thread.joinable()) thread_->thread.detach();
}

bool WorkThread::is_alive() const { return state_->started && !state_->ended; }

bool WorkThread::is_started() const { return state_->started; }

struct Coordinator::Stop {
  std::mutex mutex;
  std::condition_variable requested;
};

Coordinator::Coordinator(CoordinatorOptions options)
    : options_(std::move(options)), stop_(std::make_shared<Stop>()) {}

bool Coordinator::is_clean(const std::exception_ptr& error) const {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return std::ranges::find(options_.clean_stop_codes, known.code()) !=
           options_.clean_stop_codes.end();
  } catch (...) {
    return false;
  }
}

void Coordinator::request_stop(std::exception_ptr error) {
  if (error && is_clean(error)) error = nullptr;
  const std::lock_guard lock(stop_->mutex);
  if (joined_ && error) std::rethrow_exception(error);
  if (stop_requested_) return;
  error_ = std::move(error);
  stop_requested_ = true;
  stop_->requested.notify_all();
}

void Coordinator::clear_stop() {
  std::exception_ptr forgotten;  // dies without the lock
  const std::lock_guard lock(stop_->mutex);
  joined_ = stop_requested_ = false;
  std::swap(forgotten, error_);
}

bool Coordinator::should_stop() const {
  const std::lock_guard lock(stop_->mutex);
  return stop_requested_;
}

bool Coordinator::wait_for_stop(std::optional<double> timeout_secs) {
  const Blocking blocking;
  std::unique_lock lock(stop_->mutex);
  return stop_->requested.wait_for(lock, seconds(timeout_secs.value_or(kLongest)),
                                   [&] { return stop_requested_; });
}

void Coordinator::stop_on_exception(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    request_stop(std::current_exception());
  }
}

void Coordinator::register_thread(ThreadRef thread) {
  const std::lock_guard lock(stop_->mutex);
  registered_.push_back(std::move(thread));
}

std::vector<ThreadRef> Coordinator::all_threads(const std::vector<ThreadRef>& more) const {
  std::vector<ThreadRef> all;
  const auto add = [&](const ThreadRef& thread) {
    const auto same = [&](const ThreadRef& other) {
      return other->identity() == thread->identity();
    };
    if (std::ranges::none_of(all, same)) all.push_back(thread);
  };
  const std::lock_guard lock(stop_->mutex);
  std::ranges::for_each(registered_, add);
  std::ranges::for_each(more, add);
  return all;
}

// Threads are asked more and more rarely: most end at once, some after the step they are in.
bool wait_for_end(const std::vector<ThreadRef>& threads, double timeout_secs) {
  const Blocking blocking;
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::nanoseconds>(seconds(timeout_secs));
  double pause = 0.001;
  while (any_alive(threads)) {
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) return false;
    std::this_thread::sleep_for(std::min(seconds(pause), Seconds(left)));
    pause = std::min(2 * pause, 0.1);
  }
  return true;
}

void Coordinator::join(const std::vector<ThreadRef>& threads, const JoinOptions& options) {
  const Blocking blocking;
  const std::vector<ThreadRef> all = all_threads(threads);
  const auto starts_until = std::chrono::steady_clock::now() + seconds(kTimeToStart);
  const auto may_start = [&] {
    return !all_started(all) && std::chrono::steady_clock::now() < starts_until;
  };
  while ((any_alive(all) || may_start()) && !wait_for_stop(0.1)) {
  }
  wait_for_end(all, options.stop_grace_period_secs);
  std::string alive;
  for (const ThreadRef& thread : all) {
    if (!thread->is_alive()) continue;
    alive += (alive.empty() ? "" : " ") + thread->name();
    thread->abandon();
  }
  std::vector<ThreadRef> done;  // dies without the lock
  const std::lock_guard lock(stop_->mutex);
  joined_ = true;
  done.swap(registered_);
  if (error_) std::rethrow_exception(error_);
  if (alive.empty()) return;
  if (!options.ignore_live_threads)
    misuse(Code::kFailedPrecondition, "Coordinator stopped with threads still running: ", alive);
  log(LogLevel::kInfo, "Coordinator stopped with threads still running: ", alive);
}

bool Coordinator::joined() const {
  const std::lock_guard lock(stop_->mutex);
  return joined_;
}

void Coordinator::raise_requested_exception() const {
  const std::lock_guard lock(stop_->mutex);
  if (error_) std::rethrow_exception(error_);
}

namespace {

void run_loop(Coordinator& coord, std::optional<double> interval_secs,
              const std::function<void()>& work) {
  auto next = std::chrono::steady_clock::now();
  while (!coord.should_stop()) {
    work();
    if (!interval_secs) continue;
    next += std::chrono::duration_cast<std::chrono::nanoseconds>(seconds(*interval_secs));
    const Seconds pause = next - std::chrono::steady_clock::now();
    if (coord.wait_for_stop(pause.count())) return;
  }
}

}  // namespace

LooperThread::LooperThread(Coordinator& coord, std::optional<double> interval_secs,
                           std::function<void()> work)
    : WorkThread("LooperThread", [&coord, interval_secs, work = std::move(work)] {
        coord.stop_on_exception([&] { run_loop(coord, interval_secs, work); });
      }) {}

std::shared_ptr<LooperThread> LooperThread::loop(Coordinator& coord,
                                                 std::optional<double> interval_secs,
                                                 std::function<void()> work) {
  auto looper = std::make_shared<LooperThread>(coord, interval_secs, std::move(work));
  coord.register_thread(looper);
  looper->start();
  return looper;
}

}  // namespace rill::train
