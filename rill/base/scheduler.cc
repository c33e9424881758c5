#include "rill/base/scheduler.h"

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill {

std::atomic<Scheduler*> Scheduler::current_{nullptr};
std::thread::id Scheduler::owner_;

void Scheduler::take_over() {
  require(current_.load() == nullptr, "A simulation runs already");
  owner_ = std::this_thread::get_id();
  current_.store(this, std::memory_order_release);
}

void Scheduler::give_back() { current_.store(nullptr, std::memory_order_release); }

// --- Condition -----------------------------------------------------------------------------------

void Condition::notify_one() {
  if (Scheduler* const scheduler = Scheduler::here())
    scheduler->notify(this);
  else
    changed_.notify_one();
}

void Condition::notify_all() {
  if (Scheduler* const scheduler = Scheduler::here())
    scheduler->notify(this);
  else
    changed_.notify_all();
}

void Condition::wait(Lock& lock) {
  Scheduler* const scheduler = Scheduler::here();
  if (scheduler == nullptr) return changed_.wait(lock);
  lock.unlock();
  scheduler->wait(this, 0);
  lock.lock();
}

std::int64_t Condition::end_of(std::chrono::nanoseconds time) {
  return monotonic_nanos() + time.count();
}

std::cv_status Condition::wait_for(Lock& lock, std::chrono::nanoseconds time) {
  return wait_until(lock, end_of(time));
}

std::cv_status Condition::wait_until(Lock& lock, std::int64_t nanos) {
  Scheduler* const scheduler = Scheduler::here();
  if (scheduler == nullptr)
    return changed_.wait_until(
        lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(nanos)));
  lock.unlock();
  const bool was_notified = scheduler->wait(this, nanos);
  lock.lock();
  return was_notified ? std::cv_status::no_timeout : std::cv_status::timeout;
}

// --- LongMutex, Thread ---------------------------------------------------------------------------

void LongMutex::lock() {
  std::unique_lock lock(mutex_);
  free_.wait(lock, [this] { return !is_held_; });
  is_held_ = true;
}

void LongMutex::unlock() {
  const std::lock_guard lock(mutex_);
  is_held_ = false;
  free_.notify_one();  // under the lock: who gets it may end it
}

struct Thread::Simulated {
  Scheduler::ThreadId id = 0;
  std::mutex mutex;
  Condition ended;
  bool has_ended = false;
};

Thread::Thread(std::function<void()> work) {
  Scheduler* const scheduler = Scheduler::here();
  if (scheduler == nullptr) {
    thread_ = std::thread(std::move(work));
    return;
  }
  simulated_ = std::make_shared<Simulated>();
  simulated_->id = scheduler->start([state = simulated_, work = std::move(work)] {
    work();
    const std::lock_guard lock(state->mutex);
    state->has_ended = true;
    state->ended.notify_all();
  });
}

void Thread::join() {
  if (simulated_ == nullptr) return thread_.join();
  std::unique_lock lock(simulated_->mutex);
  simulated_->ended.wait(lock, [this] { return simulated_->has_ended; });
}

bool Thread::is_this() const {
  if (simulated_ == nullptr) return thread_.get_id() == std::this_thread::get_id();
  Scheduler* const scheduler = Scheduler::here();
  return scheduler != nullptr && scheduler->current() == simulated_->id;
}

void pause_for(std::chrono::nanoseconds time) {
  if (Scheduler* const scheduler = Scheduler::here())
    scheduler->wait(nullptr, scheduler->now_nanos() + time.count());
  else
    std::this_thread::sleep_for(time);
}

}  // namespace rill
