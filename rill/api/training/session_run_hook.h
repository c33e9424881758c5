#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rill/api/train/queue_runner.h"
#include "rill/runtime/session/session.h"

namespace rill::train {

// What a step is asked for, by the program or by a hook.
struct SessionRunArgs {
  std::vector<Runnable> fetches = {};  // tensors and operations
  std::vector<Feed> feed_dict = {};
  std::optional<RunOptions> options = {};
  // How another language wrote this down; handed back unchanged.
  std::shared_ptr<void> form = {};
};

// What a step gave.
struct SessionRunValues {
  std::vector<Tensor> results = {};  // in the order of the fetches; empty ones for operations
  RunOptions options = {};           // of all who asked, put together
  const StepStats* run_metadata = nullptr;  // null where nobody asked for it
  std::shared_ptr<void> form = {};          // of the SessionRunArgs that asked
};

// What hooks know of the step that is about to run or has run.
class SessionRunContext {
 public:
  SessionRunContext(const SessionRunArgs& original_args, Session& session)
      : original_args_(original_args), session_(session) {}

  const SessionRunArgs& original_args() const { return original_args_; }
  Session& session() const { return session_; }
  bool stop_requested() const { return stop_requested_; }
  void request_stop() { stop_requested_ = true; }
  // How another language shows this to its hooks.
  std::shared_ptr<void>& form() { return form_; }

 private:
  const SessionRunArgs& original_args_;
  Session& session_;
  bool stop_requested_ = false;
  std::shared_ptr<void> form_;
};

// Takes part in the steps of a monitored session. All are called in the thread that runs the step,
// in the order of the list of hooks. What one throws ends the session.
//
//   struct Count : SessionRunHook {
//     void after_run(SessionRunContext& context, const SessionRunValues&) override {
//       if (++steps == 10) context.request_stop();
//     }
//     int steps = 0;
//   };
class SessionRunHook {
 public:
  virtual ~SessionRunHook() = default;

  // Before the graph is finalised: the last chance to add nodes.
  virtual void begin() {}
  // After each session was opened, those that replace lost ones included.
  virtual void after_create_session(Session&, Coordinator&) {}
  // What the hook wants of the next step, if anything.
  virtual std::optional<SessionRunArgs> before_run(SessionRunContext&) { return {}; }
  // The values are those of what before_run asked for. Not called where the step failed.
  virtual void after_run(SessionRunContext&, const SessionRunValues&) {}
  // Not called where a step failed with anything but the end of the input.
  virtual void end(Session&) {}
};
using HookRef = std::shared_ptr<SessionRunHook>;

}  // namespace rill::train
