#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "rill/base/flush_denormals.h"

namespace rill {

// Tasks that run one after the other on a thread of their own, numbered from 1 in the order in
// which they came.
class StandInQueue {
 public:
  using Task = std::function<void()>;

  StandInQueue() : thread_([this] { work(); }) {}
  ~StandInQueue() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      paused_ = false;
    }
    changed_.notify_all();
    thread_.join();
  }
  StandInQueue(const StandInQueue&) = delete;
  StandInQueue& operator=(const StandInQueue&) = delete;

  std::uint64_t add(Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
    return ++added_;
  }
  std::uint64_t added() const {
    const std::lock_guard lock(mutex_);
    return added_;
  }
  std::uint64_t done() const {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  void wait_for(std::uint64_t number) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= number; });
  }
  bool is_mine() const { return std::this_thread::get_id() == thread_.get_id(); }

  // For tests: keeps what comes from running, so that it is late for certain.
  void pause(bool on) {
    const std::lock_guard lock(mutex_);
    paused_ = on;
    changed_.notify_all();
  }

 private:
  void work() {
    const FlushDenormals flush;  // as threads that run kernels do
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ends_ || (!paused_ && !tasks_.empty()); });
      if (tasks_.empty()) return;
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      task = nullptr;  // what it keeps goes before it counts as done
      lock.lock();
      ++done_;
      changed_.notify_all();
    }
  }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::uint64_t added_ = 0, done_ = 0;
  bool paused_ = false, ends_ = false;
  std::thread thread_;
};

}  // namespace rill
