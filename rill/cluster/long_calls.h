#pragma once

#include <atomic>
#include <functional>

#include "rill/runtime/step/step_threads.h"

namespace rill::cluster {

// Where requests that may take long are answered: on the thread that brought them, if it waits for
// the answer anyway or a few others bring requests in its place, since a step is over sooner than
// another thread is awake; else on a thread of their own, so that any number of them may wait.
class LongCalls {
 public:
  explicit LongCalls(StepThreads& threads) : threads_(threads) {}
  void run(std::function<void()> task);

 private:
  StepThreads& threads_;
  std::atomic<int> on_callers_ = 0;
};

}  // namespace rill::cluster
