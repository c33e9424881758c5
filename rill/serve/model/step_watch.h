#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "rill/runtime/step/step_canceller.h"
#include "rill/serve/model/model.h"

namespace rill::serve {

// Cancels steps whose clients have left or whose time is over, while they run: it looks fifty times
// a second, as long as there are any. Safe from several threads at once.
class StepWatch {
 public:
  static StepWatch& shared();  // of the process
  StepWatch();
  ~StepWatch();

  // Calls `run`, whose steps end when nobody waits for them any more; `is_unwanted` may be asked
  // from another thread.
  void run(std::function<bool()> is_unwanted, const std::function<void()>& run);

 private:
  struct Watched {
    std::function<bool()> is_unwanted;
    StepCanceller canceller;
    bool is_cancelled = false;
  };
  void look();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Watched> watched_;  // guarded by mutex_
  bool is_over_ = false, is_asleep_ = false;
  std::thread thread_;
};

// Whether nobody waits for an answer any more: the client has left, or its time is over.
bool is_unwanted(const RequestLimits& limits);
// The error as the client is told of it: a step that was cancelled since its time was over has
// exceeded its deadline.
Error told_error(Error error, const RequestLimits& limits);

}  // namespace rill::serve
