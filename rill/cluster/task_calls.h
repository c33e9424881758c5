#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/base/scheduler.h"
#include "rill/cluster/step_rendezvous.h"

namespace rill::cluster {

// Calls of several tasks at once, which are waited for together.
class TaskCalls {
 public:
  struct Limits {
    std::int64_t deadline_nanos = 0;  // of monotonic_nanos(); 0: none
    std::function<bool()> is_gone;    // whether nobody waits for them any more; may be empty
    const char* what = "an answer";   // for messages
    std::int64_t silence_ms =
        10'000;  // a task that says nothing for so long is asked whether it is there
  };

  // Calls `task`. The answer is there when wait() has returned.
  void call(const std::string& task, const std::shared_ptr<Link>& link, const std::string& method,
            MessageRef request, MutableMessageRef response, bool wait_for_ready = false);
  // A call that is answered well but says in its body that it failed.
  void check_answer(
      std::function<std::optional<Error>(const google::protobuf::MessageLite&)> check) {
    check_answer_ = std::move(check);
  }
  // Called once, by the first error: the other calls are not wanted any more.
  void on_error(std::function<void()> stop) { stop_ = std::move(stop); }
  // Until all are answered. Throws what they failed with: the first error that is not the
  // consequence of another. Also where a task does not answer for itself any more, where the time
  // is over or nobody waits any more.
  void wait(const Limits& limits);

 private:
  struct Call {
    std::string task;
    std::shared_ptr<Link> link;
    std::shared_ptr<net::PendingCall> pending;
    bool answered = false;
  };
  struct State {
    std::mutex mutex;
    Condition changed;
    std::vector<Call> calls;
    std::size_t missing = 0;
    std::vector<Error> errors;
  };
  void ask_who_is_there();

  const std::shared_ptr<State> state_ = std::make_shared<State>();
  std::function<std::optional<Error>(const google::protobuf::MessageLite&)> check_answer_;
  std::function<void()> stop_;
};

}  // namespace rill::cluster
