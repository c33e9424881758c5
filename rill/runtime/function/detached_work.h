#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>

#include "rill/kernel/detached_calls.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/step/step_cancellation.h"

namespace rill {

// The door between a session and the work that goes on between its steps: a call passes it, and
// the session does not go away while one is inside.
class DetachedWork : public std::enable_shared_from_this<DetachedWork> {
 public:
  DetachedWork(FunctionRuntime& functions, ResourceManager& resources);
  ~DetachedWork();
  DetachedWork(const DetachedWork&) = delete;
  DetachedWork& operator=(const DetachedWork&) = delete;

  std::shared_ptr<DetachedCalls> detach();
  void close();  // cancels all work; later calls throw Cancelled, but for last ones
  void wait();   // until no call is under way, nor any to come; after close()

 private:
  class Calls;
  class Function;
  class Inside;  // a call between its two passages of the door

  FunctionRuntime& functions_;
  ResourceManager& resources_;
  // How many are inside, and whether the door is closed for all but last calls or for all.
  static constexpr std::int64_t kClosed = std::int64_t{1} << 40, kGone = std::int64_t{1} << 41;
  std::atomic<std::int64_t> door_{0};
  std::mutex mutex_;
  std::condition_variable left_;
  std::set<Calls*> all_;
};

// Closes the work of every session, and gives what is under way in the background a moment to end.
// For the end of a program, after which functions of its language cannot be called.
void end_detached_work();

}  // namespace rill
