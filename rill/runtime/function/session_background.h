#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>

#include "rill/base/forks.h"
#include "rill/kernel/background_calls.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/step/step_cancellation.h"

namespace rill {

// Counts the background calls of a session. A call enters and leaves; a closed session lets none
// enter, and is destroyed only when the last has left.
class SessionBackground : public std::enable_shared_from_this<SessionBackground> {
 public:
  SessionBackground(FunctionRuntime& functions, ResourceManager& resources);
  ~SessionBackground();
  SessionBackground(const SessionBackground&) = delete;
  SessionBackground& operator=(const SessionBackground&) = delete;

  std::shared_ptr<BackgroundCalls> make_background_calls();
  // False in a child of fork, of the sessions of its parent.
  bool is_of_this_process() const { return made_after_ == fork_count(); }
  void close();  // cancels all calls; later ones throw Cancelled, except for clean-up
  void wait();   // until no call is under way, nor any to come; after close()

 private:
  class Calls;
  class Function;
  class Inside;  // a call that has entered and not left

  const int made_after_ = fork_count();
  FunctionRuntime& functions_;
  ResourceManager& resources_;
  // The number of calls inside, and flags: closed for all but clean-up calls, closed for all.
  static constexpr std::int64_t kClosed = std::int64_t{1} << 40, kGone = std::int64_t{1} << 41;
  std::atomic<std::int64_t> calls_inside_{0};
  std::mutex mutex_;
  std::condition_variable left_;
  std::set<Calls*> all_;
};

// Closes the work of every session, and gives what is under way in the background a moment to end.
// For the end of a program, after which functions of its language cannot be called.
void end_background_calls();

}  // namespace rill
