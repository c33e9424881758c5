#include <atomic>
#include <cstdio>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/progress_bar.h"
#include "rill/api/training/step_hooks.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill::train {

StepCounterHook::StepCounterHook(StepCounterHookOptions options) : options_(std::move(options)) {
  require(options_.every_n_steps.has_value() != options_.every_n_secs.has_value(),
          "exactly one of every_n_steps and every_n_secs should be provided.");
  timer_ = std::make_shared<SecondOrStepTimer>(SecondOrStepTimerOptions{
      .every_secs = options_.every_n_secs, .every_steps = options_.every_n_steps});
}

// A training that failed leaves nothing of the bar behind.
StepCounterHook::~StepCounterHook() { progress_bar().hide(); }

void StepCounterHook::begin() {
  if (!options_.summary_writer && !options_.output_dir.empty())
    options_.summary_writer = summaries::FileWriterCache::get(options_.output_dir);
  global_step_ = global_step_for("StepCounterHook");
  summary_tag_ = get_global_step().op().name() + "/sec";
}

std::optional<SessionRunArgs> StepCounterHook::before_run(SessionRunContext&) {
  return SessionRunArgs{.fetches = {global_step_}};
}

void StepCounterHook::log_and_record(const HookTimer::Elapsed& elapsed, std::int64_t global_step) {
  const double steps_per_sec = static_cast<double>(elapsed.steps) / elapsed.secs;
  if (options_.summary_writer) {
    tensorflow::Summary summary;
    tensorflow::Summary::Value& value = *summary.add_value();
    value.set_tag(summary_tag_);
    value.set_simple_value(static_cast<float>(steps_per_sec));
    options_.summary_writer->add_summary(summary, global_step);
  }
  progress_bar().set_speed(steps_per_sec);
  char text[32];
  std::snprintf(text, sizeof text, "%g", steps_per_sec);
  logging::info(summary_tag_, ": ", text);
}

void StepCounterHook::warn_of_standstill(std::int64_t step) {
  // Some optimizers do not count every step by design, so a few warnings are enough.
  static std::atomic<int> warnings_left = 5;
  if (warnings_left.fetch_sub(1) <= 0) return;
  logging::warning(
      "It seems that global step (tf.train.get_global_step) has not been increased. Current value ",
      "(could be stable): ", step, " vs previous value: ", step,
      ". You could increase the global step by passing tf.train.get_global_step() to ",
      "Optimizer.apply_gradients or Optimizer.minimize.");
}

void StepCounterHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  const std::int64_t step_before = step_of(values.results.at(0));
  if (timer_->should_trigger_for_step(step_before + steps_per_run_)) {
    const std::int64_t step = read_step(context.session(), global_step_);
    if (timer_->should_trigger_for_step(step)) {
      if (const auto elapsed = timer_->update_last_triggered_step(step)) {
        if (record_override)
          record_override(*elapsed, step);
        else
          log_and_record(*elapsed, step);
      }
    }
  }
  progress_bar().at_step(step_before + 1);
  if (last_step_ == step_before) warn_of_standstill(step_before);
  last_step_ = step_before;
}

void StepCounterHook::end(Session&) { progress_bar().finish(); }

}  // namespace rill::train
