#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "rill/base/scheduler.h"

namespace rill {

// Threads for the partitions of steps, which wait for each other. Unlike a pool this starts a
// thread when none is free, so that no part ever waits for a thread that another part holds. The
// destructor waits for what runs.
class StepThreads {
 public:
  StepThreads() = default;
  ~StepThreads();
  StepThreads(const StepThreads&) = delete;
  StepThreads& operator=(const StepThreads&) = delete;

  void run(std::function<void()> task);

 private:
  void serve();

  std::mutex mutex_;
  Condition changed_;
  std::deque<std::function<void()>> tasks_;
  std::size_t idle_ = 0;  // threads that wait for a task
  bool stopping_ = false;
  std::vector<Thread> threads_;
};

}  // namespace rill
