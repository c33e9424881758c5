#include <algorithm>

#include "rill/api/train/global_step.h"
#include "rill/api/train/misuse.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/progress_bar.h"
#include "rill/api/training/step_hooks.h"

namespace rill::train {
namespace {

void check(const StopAtStepHookOptions& options) {
  require(options.num_steps || options.last_step,
          "One of num_steps or last_step must be specified.");
  require(!options.num_steps || !options.last_step,
          "Only one of num_steps or last_step can be specified.");
}

}  // namespace

StopAtStepHook::StopAtStepHook(const StopAtStepHookOptions& options) : options_(options) {
  check(options);
}

void StopAtStepHook::begin() { global_step_ = global_step_for("StopAtStepHook"); }

void StopAtStepHook::after_create_session(Session& session, Coordinator&) {
  if (!options_.last_step)
    options_.last_step = read_step(session, global_step_) + *options_.num_steps;
  progress_bar().set_last_step(*options_.last_step);
}

std::optional<SessionRunArgs> StopAtStepHook::before_run(SessionRunContext&) {
  return SessionRunArgs{.fetches = {global_step_}};
}

void StopAtStepHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  if (!options_.last_step || step_of(values.results.at(0)) + 1 < *options_.last_step) return;
  // That was the value before the step; whether the step has counted is read from the variable.
  if (read_step(context.session(), global_step_) >= *options_.last_step) context.request_stop();
}

MultiStepStopAtStepHook::MultiStepStopAtStepHook(const StopAtStepHookOptions& options,
                                                 std::int64_t steps_per_run)
    : options_(options), steps_per_run_(steps_per_run) {
  check(options);
  require(steps_per_run >= 1, "steps_per_run should be greater than 0");
}

void MultiStepStopAtStepHook::begin() {
  global_step_ = get_global_step();
  if (!global_step_)
    misuse(Code::kFailedPrecondition, "Global step should be created to use StopAtStepHook.");
  variable_ = get_or_create_steps_per_run_variable();
}

void MultiStepStopAtStepHook::set_steps_per_run(Session& session, std::int64_t step) {
  const std::int64_t steps = std::min(*options_.last_step - step, steps_per_run_);
  load(session, variable_, Tensor::scalar(static_cast<std::int32_t>(steps)));
}

void MultiStepStopAtStepHook::after_create_session(Session& session, Coordinator&) {
  const std::int64_t step = read_step(session, global_step_.snapshot());
  if (!options_.last_step) options_.last_step = step + *options_.num_steps;
  set_steps_per_run(session, step);
}

void MultiStepStopAtStepHook::after_run(SessionRunContext& context, const SessionRunValues&) {
  const std::int64_t step = read_step(context.session(), global_step_.snapshot());
  if (step >= *options_.last_step)
    context.request_stop();
  else
    set_steps_per_run(context.session(), step);
}

}  // namespace rill::train
