#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/base/scheduler.h"
#include "rill/cluster/client_watch.h"
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

  explicit TaskCalls(Limits limits) { state_->limits = std::move(limits); }
  ~TaskCalls();
  TaskCalls(const TaskCalls&) = delete;
  TaskCalls& operator=(const TaskCalls&) = delete;

  // Calls `task`. The answer is there when wait() has returned.
  void call(const std::string& task, const std::shared_ptr<Link>& link, const std::string& method,
            MessageRef request, MutableMessageRef response, bool wait_for_ready = false);
  // A call that is answered well but says in its body that it failed.
  using Check = std::function<std::optional<Error>(const google::protobuf::MessageLite&)>;
  void check_answer(Check check) { state_->check = std::move(check); }
  // Called once, by the first error: the other calls are not wanted any more.
  void on_error(std::function<void()> stop) { state_->stop = std::move(stop); }
  // The limits are looked after by `watch` while this thread does something else before it waits.
  void watch_over(ClientWatch& watch);
  // Until all are answered. Throws what they failed with: the first error that is not the
  // consequence of another. Also where a task does not answer for itself any more, where the time
  // is over or nobody waits any more.
  void wait();
  std::vector<std::string> missing() const;  // the tasks that have not answered

 private:
  struct Call {
    std::string task;
    std::shared_ptr<Link> link;
    std::shared_ptr<net::PendingCall> pending;
    bool answered = false;
  };
  struct State : std::enable_shared_from_this<State> {
    void check_limits(std::unique_lock<std::mutex>& lock);
    void give_up(std::unique_lock<std::mutex>& lock, std::optional<Error> why);
    void ask_who_is_there(std::unique_lock<std::mutex>& lock);
    std::string who_is_missing() const;

    Limits limits;
    Check check;
    std::function<void()> stop;
    std::mutex mutex;
    Condition changed;
    std::vector<Call> calls;
    std::size_t missing = 0;
    std::vector<Error> errors;
    std::int64_t asked = 0;
    bool is_stopped = false;
  };

  const std::shared_ptr<State> state_ = std::make_shared<State>();
  ClientWatch* watch_ = nullptr;
  std::int64_t watched_ = 0;
};

}  // namespace rill::cluster
