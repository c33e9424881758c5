#include "rill/api/estimator/schedule/early_stopping.h"

#include <chrono>
#include <thread>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/misuse.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/variables/variable_scope.h"
#include "rill/base/blocking.h"
#include "rill/base/files.h"
#include "rill/io/event_scan.h"
#include "rill/tensor/element_format.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::estimator {
namespace {

// Told by the chief to all others; a global variable, so it is saved with the model.
Variable stop_variable() {
  const VariableScopeBlock scope("signal_early_stopping", {.reuse = AUTO_REUSE});
  GetVariableOptions how;
  how.shape = PartialShape::scalar();
  how.dtype = DType::boolean;
  how.initializer = constant_initializer(Tensor::scalar(false));
  how.collections = {{GraphKeys::GLOBAL_VARIABLES}};
  how.trainable = false;
  return get_variable("STOP", how);
}

train::SecondOrStepTimerOptions timer_options(const EarlyStoppingOptions& options) {
  require(!options.run_every_secs || !options.run_every_steps,
          "Only one of `run_every_secs` and `run_every_steps` must be set.");
  if (options.run_every_steps) return {.every_steps = options.run_every_steps};
  return {.every_secs = options.run_every_secs.value_or(60)};
}

std::string number_text(double value) { return scalar_text(Tensor::scalar(value)); }

bool is_better(const MetricRule& rule, double value, double other) {
  return rule.higher_is_better ? value > other : value < other;
}

// The metric of every evaluation that counts.
std::map<std::int64_t, double> metric_by_step(const MetricRule& rule) {
  std::map<std::int64_t, double> found;
  for (const auto& [step, metrics] : read_eval_metrics(rule.eval_dir)) {
    if (step < rule.min_steps) continue;
    const auto metric = metrics.find(rule.metric_name);
    if (metric == metrics.end()) raise(Code::kNotFound, rule.metric_name);
    found[step] = metric->second;
  }
  return found;
}

// The global step of the latest checkpoint; 0 where there is none.
std::int64_t saved_step(const std::string& model_dir) {
  try {
    return train::step_of(train::load_variable(model_dir, "global_step"));
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

StopOnPredicateHook::StopOnPredicateHook(ShouldStopFn should_stop_fn,
                                         const EarlyStoppingOptions& options)
    : should_stop_fn_(std::move(should_stop_fn)), timer_(timer_options(options)) {}

void StopOnPredicateHook::begin() {
  const Variable step = train::get_global_step();
  if (!step)
    train::misuse(Code::kFailedPrecondition,
                  "Global step should be created to use early stopping.");
  global_step_ = step.snapshot();
  stop_op_ = stop_variable().assign(Tensor::scalar(true)).node;
}

std::optional<train::SessionRunArgs> StopOnPredicateHook::before_run(train::SessionRunContext&) {
  return train::SessionRunArgs{.fetches = {global_step_}};
}

void StopOnPredicateHook::after_run(train::SessionRunContext& context,
                                    const train::SessionRunValues& values) {
  const std::int64_t step = train::step_of(values.results.at(0));
  if (!timer_.should_trigger_for_step(step)) return;
  timer_.update_last_triggered_step(step);
  if (!should_stop_fn_()) return;
  logging::info("Requesting early stopping at global step ", step);
  context.session().run(*stop_op_);
  context.request_stop();
}

void CheckForStoppingHook::begin() { stop_ = stop_variable().snapshot(); }

std::optional<train::SessionRunArgs> CheckForStoppingHook::before_run(train::SessionRunContext&) {
  return train::SessionRunArgs{.fetches = {stop_}};
}

void CheckForStoppingHook::after_run(train::SessionRunContext& context,
                                     const train::SessionRunValues& values) {
  if (!values.results.at(0).scalar_value<bool>()) return;
  logging::info("Early stopping requested, suspending run.");
  context.request_stop();
}

StopAtCheckpointStepHook::StopAtCheckpointStepHook(std::string model_dir, std::int64_t last_step,
                                                   double wait_after_file_check_secs)
    : model_dir_(std::move(model_dir)),
      last_step_(last_step),
      wait_secs_(wait_after_file_check_secs) {}

void StopAtCheckpointStepHook::begin() {
  global_step_ = train::global_step_for("StopAtCheckpointStepHook");
}

std::optional<train::SessionRunArgs> StopAtCheckpointStepHook::before_run(
    train::SessionRunContext&) {
  return train::SessionRunArgs{.fetches = {global_step_}};
}

void StopAtCheckpointStepHook::after_run(train::SessionRunContext& context,
                                         const train::SessionRunValues& values) {
  if (train::step_of(values.results.at(0)) + 1 < last_step_) return;
  if (saved_step(model_dir_) >= last_step_) return context.request_stop();
  const Blocking others_run;
  std::this_thread::sleep_for(std::chrono::duration<double>(wait_secs_));
}

std::map<std::int64_t, std::map<std::string, double>> read_eval_metrics(
    const std::string& eval_dir) {
  std::map<std::int64_t, std::map<std::string, double>> found;
  if (!file_exists(eval_dir)) return found;
  for (const std::string& path : matching_paths(join_path(eval_dir, "events.out.tfevents.*"))) {
    const std::string damage = scan_events(path, [&](const tensorflow::Event& event) {
      for (const tensorflow::Summary::Value& value : event.summary().value())
        if (value.has_simple_value()) found[event.step()][value.tag()] = value.simple_value();
    });
    if (!damage.empty())
      logging::warning("Skipping rest of the file due to encountering data corruption error; file ",
                       "path: ", path, "; original error: ", damage);
  }
  return found;
}

bool is_threshold_crossed(const MetricRule& rule, double threshold,
                          const std::string& threshold_text) {
  for (const auto& [step, value] : metric_by_step(rule)) {
    if (!is_better(rule, value, threshold)) continue;
    logging::info(
        "At step ", step, ", metric \"", rule.metric_name, "\" has value ", number_text(value),
        " which is ", rule.higher_is_better ? "greater than" : "less than",
        " the configured threshold (",
        threshold_text.empty() ? number_text(threshold) : threshold_text, ") for early stopping.");
    return true;
  }
  return false;
}

bool is_without_improvement(const MetricRule& rule, std::int64_t max_steps) {
  std::optional<std::pair<std::int64_t, double>> best;
  for (const auto& [step, value] : metric_by_step(rule)) {
    if (!best || is_better(rule, value, best->second)) best = {step, value};
    const std::int64_t steps = step - best->first;
    if (steps < max_steps) continue;
    logging::info("No ", rule.higher_is_better ? "increase" : "decrease", " in metric \"",
                  rule.metric_name, "\" for ", steps,
                  " steps, which is greater than or equal to max steps (", max_steps,
                  ") configured for early stopping.");
    return true;
  }
  return false;
}

}  // namespace rill::estimator
