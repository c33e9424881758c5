#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "rill/api/training/hook_timer.h"
#include "rill/api/training/session_run_hook.h"
#include "rill/api/training/step_hooks.h"
#include "rill/api/variables/variable.h"

// Hooks that end a training before its last step, by what evaluations wrote to the event files of
// eval_dir. They are for train_and_evaluate, or a process that evaluates beside.
//
//   auto hook = stop_if_no_decrease_hook(model, "loss", 10000);
//   train_and_evaluate(model, {.input_fn = input, .hooks = {hook}}, {.input_fn = eval_input});
namespace rill::estimator {

using train::HookRef;

// At most one of the two; none: every 60 seconds.
struct EarlyStoppingOptions {
  std::optional<double> run_every_secs = {};
  std::optional<std::int64_t> run_every_steps = {};
};
using ShouldStopFn = std::function<bool()>;

// Asks a function now and then whether to stop, and tells the workers through a variable,
// signal_early_stopping/STOP, which checkpoints keep. begin() throws FailedPrecondition where the
// graph has no global step.
class StopOnPredicateHook : public train::SessionRunHook {
 public:
  StopOnPredicateHook(ShouldStopFn should_stop_fn, const EarlyStoppingOptions& options);

  void begin() override;
  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override;
  void after_run(train::SessionRunContext& context, const train::SessionRunValues& values) override;

 private:
  const ShouldStopFn should_stop_fn_;
  train::SecondOrStepTimer timer_;
  Output global_step_;
  Node* stop_op_ = nullptr;
};

// Of workers: stops when the chief's hook has told so.
class CheckForStoppingHook : public train::SessionRunHook {
 public:
  void begin() override;
  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override;
  void after_run(train::SessionRunContext& context, const train::SessionRunValues& values) override;

 private:
  Output stop_;
};

// Stops when a step is over and its checkpoint is on the disk, for workers that do not save it.
// Sleeps between two looks at the disk.
class StopAtCheckpointStepHook : public train::SessionRunHook {
 public:
  StopAtCheckpointStepHook(std::string model_dir, std::int64_t last_step,
                           double wait_after_file_check_secs = 30);

  void begin() override;
  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override;
  void after_run(train::SessionRunContext& context, const train::SessionRunValues& values) override;

 private:
  const std::string model_dir_;
  const std::int64_t last_step_;
  const double wait_secs_;
  Output global_step_;
};

// The scalars in the event files of a directory: by step, then by name. Empty where there is no
// directory. A file that breaks off is read to there; a warning says so.
std::map<std::int64_t, std::map<std::string, double>> read_eval_metrics(
    const std::string& eval_dir);

struct MetricRule {
  std::string eval_dir = {};
  std::string metric_name = {};
  bool higher_is_better = true;
  std::int64_t min_steps = 0;  // earlier evaluations do not count
};
// Whether an evaluation was better than the threshold. Throws NotFound where one lacks the metric;
// `threshold_text` is how the log shows it.
bool is_threshold_crossed(const MetricRule& rule, double threshold,
                          const std::string& threshold_text = {});
// Whether the metric has not become better for so many steps, at any time of the training.
bool is_without_improvement(const MetricRule& rule, std::int64_t max_steps);

// What follows takes an Estimator.
// The chief's hook asks; those of other workers only listen.
template <class E>
HookRef make_early_stopping_hook(const E& estimator, ShouldStopFn should_stop_fn,
                                 const EarlyStoppingOptions& options = {}) {
  if (!estimator.config().is_chief) return std::make_shared<CheckForStoppingHook>();
  return std::make_shared<StopOnPredicateHook>(std::move(should_stop_fn), options);
}

struct StopIfOptions {
  std::optional<double> run_every_secs = {};
  std::optional<std::int64_t> run_every_steps = {};
  std::string eval_dir = {};  // "": the estimator's
  std::int64_t min_steps = 0;

  operator EarlyStoppingOptions() const {
    return {.run_every_secs = run_every_secs, .run_every_steps = run_every_steps};
  }
};
template <class E>
MetricRule metric_rule(const E& estimator, std::string metric_name, bool higher_is_better,
                       const StopIfOptions& options) {
  return {options.eval_dir.empty() ? estimator.eval_dir() : options.eval_dir,
          std::move(metric_name), higher_is_better, options.min_steps};
}
template <class E>
HookRef stop_if_higher_hook(const E& estimator, const std::string& metric_name, double threshold,
                            const StopIfOptions& options = {}) {
  auto rule = metric_rule(estimator, metric_name, true, options);
  return make_early_stopping_hook(
      estimator, [=] { return is_threshold_crossed(rule, threshold); }, options);
}
template <class E>
HookRef stop_if_lower_hook(const E& estimator, const std::string& metric_name, double threshold,
                           const StopIfOptions& options = {}) {
  auto rule = metric_rule(estimator, metric_name, false, options);
  return make_early_stopping_hook(
      estimator, [=] { return is_threshold_crossed(rule, threshold); }, options);
}
template <class E>
HookRef stop_if_no_increase_hook(const E& estimator, const std::string& metric_name,
                                 std::int64_t max_steps_without_increase,
                                 const StopIfOptions& options = {}) {
  auto rule = metric_rule(estimator, metric_name, true, options);
  return make_early_stopping_hook(
      estimator, [=] { return is_without_improvement(rule, max_steps_without_increase); }, options);
}
template <class E>
HookRef stop_if_no_decrease_hook(const E& estimator, const std::string& metric_name,
                                 std::int64_t max_steps_without_decrease,
                                 const StopIfOptions& options = {}) {
  auto rule = metric_rule(estimator, metric_name, false, options);
  return make_early_stopping_hook(
      estimator, [=] { return is_without_improvement(rule, max_steps_without_decrease); }, options);
}
template <class E>
HookRef make_stop_at_checkpoint_step_hook(const E& estimator, std::int64_t last_step,
                                          double wait_after_file_check_secs = 30) {
  if (estimator.config().is_chief)
    return std::make_shared<train::StopAtStepHook>(
        train::StopAtStepHookOptions{.last_step = last_step});
  return std::make_shared<StopAtCheckpointStepHook>(estimator.model_dir(), last_step,
                                                    wait_after_file_check_secs);
}

}  // namespace rill::estimator
