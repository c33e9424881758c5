#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/train/misuse.h"
#include "rill/api/training/session_creator.h"
#include "rill/api/training/session_run_hook.h"
#include "rill/runtime/session/fetch.h"

namespace rill::train {

// What a step function throws to end the loop; see StepContext::request_stop.
class StopIteration : public Error {
 public:
  using Error::Error;
};

// What a step function works with.
class StepContext {
 public:
  using RunWithHooks =
      std::function<SessionRunValues(const SessionRunArgs&, StepStats* run_metadata)>;
  StepContext(Session& session, RunWithHooks run) : session_(session), run_(std::move(run)) {}

  Session& session() const { return session_; }  // runs without hooks
  SessionRunValues run_with_hooks(const SessionRunArgs& args, StepStats* run_metadata = nullptr) {
    return run_(args, run_metadata);
  }
  [[noreturn]] void request_stop() const;  // throws StopIteration

 private:
  Session& session_;
  RunWithHooks run_;
};

struct MonitoredSessionOptions {
  SessionCreatorRef session_creator = {};  // none: the chief's
  std::vector<HookRef> hooks = {};
  double stop_grace_period_secs = 120;
  bool recovers = true;  // false: a SingularMonitoredSession, which fails where a session is lost
};

// A session that calls hooks around every step, starts queue runners, and opens a new session where
// the old one was lost (Aborted, Unavailable).
//
//   tf::train::MonitoredSession session({.hooks = {...}});
//   session.run_until_stop([&](auto& sess) { sess.run(train_op); });
//
// The graph is finalised when it is opened: make all nodes before. One thread uses it; hooks and
// queue runners have their own.
class MonitoredSession : public RunForms<MonitoredSession> {
 public:
  // Calls the hooks' begin, opens the session, calls their after_create_session.
  explicit MonitoredSession(MonitoredSessionOptions options = {});
  ~MonitoredSession();  // closes it without calling the hooks' end
  MonitoredSession(MonitoredSession&&) noexcept;

  // One step with what the hooks ask for besides. Throws Misuse after a hook has requested a stop,
  // and where two feed the same tensor.
  SessionRunValues run(const SessionRunArgs& args, StepStats* run_metadata = nullptr);
  // As of a Session.
  using RunForms<MonitoredSession>::run;
  std::vector<Tensor> run_fetches(const std::vector<Fetch>& fetches, const Feeds& feeds);
  // Calls `step_fn`, again where the session was lost in it.
  void run_step_fn(const std::function<void(StepContext&)>& step_fn);
  // Calls `body` until a hook, a queue runner or the end of the input stops the session, then
  // closes it: what Python's `with` block around a loop is.
  void run_until_stop(const std::function<void(MonitoredSession&)>& body);

  // Not const: a session that its threads have lost is replaced.
  bool should_stop();
  void close();  // the hooks' end, then the threads' and the session's
  // The same after an error: the hooks' end is not called.
  void close_after_error();
  void forget();  // asks its threads to stop, and waits for nobody
  bool is_closed() const;
  // These throw Misuse once it is closed.
  Graph& graph() const;
  Session& raw_session() const;
  const std::shared_ptr<Session>& session() const;  // null once it is closed
  const CoordinatorRef& coordinator() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct SingularMonitoredSessionOptions {
  std::vector<HookRef> hooks = {};
  ScaffoldRef scaffold = {};
  std::string master = {};
  SessionOptions config = {};
  std::string checkpoint_dir = {};
  double stop_grace_period_secs = 120;
  std::string checkpoint_filename_with_path = {};
  OpenSession open = {};
};
// One that fails where its session is lost.
MonitoredSession SingularMonitoredSession(const SingularMonitoredSessionOptions& options = {});

struct MonitoredTrainingSessionOptions {
  std::string master = {};
  bool is_chief = true;
  std::string checkpoint_dir = {};
  ScaffoldRef scaffold = {};
  std::vector<HookRef> hooks = {}, chief_only_hooks = {};
  // None of the two: every 600 seconds. 0: never.
  std::optional<double> save_checkpoint_secs = {};
  std::optional<std::int64_t> save_checkpoint_steps = {};
  // None of the two: every 100 steps. 0: never.
  std::optional<std::int64_t> save_summaries_steps = {};
  std::optional<double> save_summaries_secs = {};
  SessionOptions config = {};
  double stop_grace_period_secs = 120;
  std::int64_t log_step_count_steps = 100;  // 0: never
  double max_wait_secs = 7200;
  std::string summary_dir = {};  // "": checkpoint_dir
  bool save_graph_def = true;
  OpenSession open = {};
};

// With the hooks that count steps, write summaries and save checkpoints. With a checkpoint_dir it
// goes on with the latest checkpoint there. Others than the chief wait for the chief to initialise,
// at most max_wait_secs, and save nothing.
//
//   auto stop = make_hook<StopAtStepHook>({.last_step = 1000});
//   auto session = MonitoredTrainingSession({.checkpoint_dir = dir, .hooks = {stop}});
MonitoredSession MonitoredTrainingSession(const MonitoredTrainingSessionOptions& options = {});
// The same before the session is made.
MonitoredSessionOptions training_session_parts(const MonitoredTrainingSessionOptions& options);

}  // namespace rill::train
