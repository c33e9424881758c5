#include "rill/base/background.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "rill/base/flush_denormals.h"
#include "rill/base/forks.h"
#include "rill/base/scheduler.h"

namespace rill {
namespace {

constexpr std::chrono::seconds kIdleTime{5};

class Threads {
 public:
  void run(std::function<void()> task) {
    std::unique_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    if (idle_ >= static_cast<int>(tasks_.size())) {
      wake_.notify_one();
      return;
    }
    lock.unlock();
    // Detached: the process may end while a thread waits for its next task.
    std::thread([this] { serve(); }).detach();
  }

  int count() {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(tasks_.size()) + running_;
  }

 private:
  void serve() {
    const FlushDenormals flush;
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      const bool found = wake_.wait_for(lock, kIdleTime, [this] { return !tasks_.empty(); });
      --idle_;
      if (!found) return;
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      ++running_;
      lock.unlock();
      task();
      task = nullptr;  // what it holds may take a while to go
      lock.lock();
      --running_;
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  int idle_ = 0, running_ = 0;
};

}  // namespace

void run_in_background(std::function<void()> task) {
  if (Scheduler* const simulation = Scheduler::here()) {
    simulation->start(std::move(task));
    return;
  }
  of_this_process<Threads>().run(std::move(task));
}

int background_tasks() { return of_this_process<Threads>().count(); }

}  // namespace rill
