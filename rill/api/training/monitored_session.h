#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rill/api/training/session_creator.h"
#include "rill/api/training/session_run_hook.h"

namespace rill::train {

struct MonitoredSessionOptions {
  SessionCreatorRef session_creator = {};  // none: the chief's
  std::vector<HookRef> hooks = {};
  double stop_grace_period_secs = 120;
  bool recovers = true;  // false: a SingularMonitoredSession, which fails where a session is lost
};

// A session that calls hooks around every step, starts queue runners, and opens a new session
// where the old one was lost (Aborted, Unavailable).
class MonitoredSession {
 public:
  explicit MonitoredSession(MonitoredSessionOptions options = {});
  ~MonitoredSession();  // closes it without calling the hooks' end
  MonitoredSession(MonitoredSession&&) noexcept;

  // One step with what the hooks ask for besides.
  SessionRunValues run(const SessionRunArgs& args, StepStats* run_metadata = nullptr);
  template <std::same_as<Output> Fetch>
  Tensor run(Fetch fetch, const std::vector<Feed>& feeds = {}) {
    return run(SessionRunArgs{.fetches = {fetch}, .feed_dict = feeds}).results.at(0);
  }
  template <std::same_as<Node> Target>
  void run(Target& target, const std::vector<Feed>& feeds = {}) {
    run(SessionRunArgs{.fetches = {target}, .feed_dict = feeds});
  }
  // Calls `body` until a hook, a queue runner or the end of the input stops the session, then
  // closes it: what Python's `with` block around a loop is.
  void run_until_stop(const std::function<void(MonitoredSession&)>& body);

  bool should_stop() const;
  void close();  // the hooks' end, then the threads' and the session's
  Graph& graph() const;
  Session& raw_session() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

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
  bool save_checkpoint_at_end = true;
  std::string summary_dir = {};  // "": checkpoint_dir
  OpenSession open = {};
};

// With the hooks that count steps, write summaries and save checkpoints.
MonitoredSession MonitoredTrainingSession(const MonitoredTrainingSessionOptions& options = {});

}  // namespace rill::train
