#include "rill/runtime/step/step_threads.h"

namespace rill {

// What still runs may start more.
StepThreads::~StepThreads() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  while (!threads_.empty()) {
    Thread thread = std::move(threads_.back());
    threads_.pop_back();
    lock.unlock();
    thread.join();
    lock.lock();
  }
}

void StepThreads::run(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (idle_ < tasks_.size())
    threads_.emplace_back([this] { serve(); });
  else
    changed_.notify_one();
}

void StepThreads::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace rill
