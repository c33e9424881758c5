#pragma once

#include <functional>
#include <string>

#include "rill/api/summary/file_writer.h"
#include "rill/api/training/hook_timer.h"
#include "rill/api/training/session_run_hook.h"
#include "rill/api/variables/variable.h"

namespace rill::train {

// The default of 100 steps must be taken away, {}, where seconds are given.
struct StepCounterHookOptions {
  std::optional<std::int64_t> every_n_steps = 100;
  std::optional<double> every_n_secs = {};
  std::string output_dir = {};  // "": nothing is written
  std::shared_ptr<summaries::FileWriter> summary_writer = {};
};

// Logs "global_step/sec" and writes it as a summary. Warns where the step does not grow. Throws
// InvalidArgument unless exactly one of steps and seconds is given.
class StepCounterHook : public SessionRunHook {
 public:
  using Options = StepCounterHookOptions;
  explicit StepCounterHook(StepCounterHookOptions options = {});
  ~StepCounterHook() override;

  void begin() override;
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;
  void end(Session&) override;

  void set_steps_per_run(std::int64_t steps) { steps_per_run_ = steps; }
  const TimerRef& timer() const { return timer_; }
  Output global_step() const { return global_step_; }
  const std::shared_ptr<summaries::FileWriter>& summary_writer() const {
    return options_.summary_writer;
  }
  void set_summary_writer(std::shared_ptr<summaries::FileWriter> writer) {
    options_.summary_writer = std::move(writer);
  }
  const std::string& summary_tag() const { return summary_tag_; }

  using Record = std::function<void(const HookTimer::Elapsed&, std::int64_t global_step)>;
  Record record_override = {};  // where not none: called instead of log_and_record
  void log_and_record(const HookTimer::Elapsed& elapsed, std::int64_t global_step);

 private:
  void warn_of_standstill(std::int64_t step);

  StepCounterHookOptions options_;
  TimerRef timer_;
  Output global_step_;
  std::string summary_tag_;
  std::int64_t steps_per_run_ = 1;
  std::optional<std::int64_t> last_step_;
};

// One of the two.
struct StopAtStepHookOptions {
  std::optional<std::int64_t> num_steps = {};  // from where the session began
  std::optional<std::int64_t> last_step = {};
};

// Requests a stop when the global step has reached the last one. A run may take several steps, so
// it may be passed. Throws InvalidArgument unless exactly one option is given.
class StopAtStepHook : public SessionRunHook {
 public:
  using Options = StopAtStepHookOptions;
  explicit StopAtStepHook(const StopAtStepHookOptions& options);

  void begin() override;
  void after_create_session(Session& session, Coordinator&) override;
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;

  Output global_step() const { return global_step_; }
  const StopAtStepHookOptions& options() const { return options_; }

 private:
  StopAtStepHookOptions options_;
  Output global_step_;
};

// The same for runs of several steps each, whose number it sets so that none is too many.
class MultiStepStopAtStepHook : public SessionRunHook {
 public:
  // Throws InvalidArgument unless steps_per_run is positive.
  explicit MultiStepStopAtStepHook(const StopAtStepHookOptions& options,
                                   std::int64_t steps_per_run = 1);

  void begin() override;
  void after_create_session(Session& session, Coordinator&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;

 private:
  void set_steps_per_run(Session& session, std::int64_t step);

  StopAtStepHookOptions options_;
  const std::int64_t steps_per_run_;
  Variable global_step_, variable_;
};

// Lets a worker begin when the others have taken so many steps, so that asynchronous workers do not
// all start at once. It looks every half second or so.
class GlobalStepWaiterHook : public SessionRunHook {
 public:
  explicit GlobalStepWaiterHook(std::int64_t wait_until_step) : wait_until_step_(wait_until_step) {}

  void begin() override;
  std::optional<SessionRunArgs> before_run(SessionRunContext& context) override;
  std::function<void()> while_waiting = {};  // called now and then; what it throws ends the wait

 private:
  const std::int64_t wait_until_step_;
  bool is_started_ = false;
  Output global_step_;
};

}  // namespace rill::train
