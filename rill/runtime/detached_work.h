#pragma once

#include <condition_variable>
#include <mutex>
#include <set>

#include "rill/kernel/detached_calls.h"
#include "rill/runtime/function_runtime.h"
#include "rill/runtime/step_cancellation.h"

namespace rill {

// The door between a session and the work that goes on between its steps: a call passes it, and
// the session does not go away while one is inside.
class DetachedWork : public std::enable_shared_from_this<DetachedWork> {
 public:
  DetachedWork(FunctionRuntime& functions, ResourceManager& resources)
      : functions_(functions), resources_(resources) {}

  std::shared_ptr<DetachedCalls> detach();
  void close();  // cancels all work; later calls throw Cancelled
  void wait();   // until no call is under way; after close()

 private:
  class Calls;
  class Function;
  class Inside;  // a call between its two passages of the door

  FunctionRuntime& functions_;
  ResourceManager& resources_;
  std::mutex mutex_;
  std::condition_variable left_;
  std::set<Calls*> all_;
  int inside_ = 0;
  bool closed_ = false;
};

}  // namespace rill
