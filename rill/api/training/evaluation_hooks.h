#pragma once

#include <string>
#include <vector>

#include "rill/api/summary/file_writer.h"
#include "rill/api/training/session_run_hook.h"
#include "rill/api/variables/variable.h"

namespace rill::train {

// The local variable that counts the steps of an evaluation. Throws InvalidArgument where the
// collection EVAL_STEP has several.
Variable get_or_create_eval_step(std::source_location at = std::source_location::current());

// Counts the evaluations that `eval_ops` are, and lets the hooks among `hooks` that stop after so
// many know. Gives the operation to run with each of them.
Output count_evaluations(const std::vector<Runnable>& eval_ops, const std::vector<HookRef>& hooks,
                         std::source_location at = std::source_location::current());

// A hook that needs to know how many evaluations there were.
class CountsEvaluations {
 public:
  virtual ~CountsEvaluations() = default;
  void set_evals_completed(Output completed) { completed_ = completed; }
  Output evals_completed() const { return completed_; }

 protected:
  Output completed_;
};

// Stops after so many evaluations, where a number is given, and logs them.
class StopAfterNEvalsHook : public SessionRunHook, public CountsEvaluations {
 public:
  // None: it never stops. Logs about ten times on the way, or every evaluation of fewer than 20.
  explicit StopAfterNEvalsHook(std::optional<std::int64_t> num_evals, bool log_progress = true);
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;

 private:
  const std::optional<std::int64_t> num_evals_;
  const bool log_progress_;
  const std::int64_t log_frequency_;
};

// The same for runs of several evaluations each.
class MultiStepStopAfterNEvalsHook : public SessionRunHook, public CountsEvaluations {
 public:
  explicit MultiStepStopAfterNEvalsHook(std::optional<std::int64_t> num_evals,
                                        std::int64_t steps_per_run = 1)
      : num_evals_(num_evals), steps_per_run_(steps_per_run) {}
  void begin() override;
  void after_create_session(Session& session, Coordinator&) override;
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;

 private:
  void set_steps(Session& session, std::int64_t completed);

  const std::optional<std::int64_t> num_evals_;
  const std::int64_t steps_per_run_;
  Variable variable_;
};

struct SummaryAtEndHookOptions {
  std::string log_dir = {};
  std::shared_ptr<summaries::FileWriter> summary_writer = {};
  Output summary_op = {};  // none: all summaries, merged
  std::vector<Feed> feed_dict = {};
};

// Writes summaries once, at the end of the session.
class SummaryAtEndHook : public SessionRunHook {
 public:
  using Options = SummaryAtEndHookOptions;
  // Throws InvalidArgument where neither a directory nor a writer is given.
  explicit SummaryAtEndHook(SummaryAtEndHookOptions options);
  void begin() override;
  void after_create_session(Session&, Coordinator&) override;
  void end(Session& session) override;

 private:
  SummaryAtEndHookOptions options_;
  Output global_step_;
};

}  // namespace rill::train
