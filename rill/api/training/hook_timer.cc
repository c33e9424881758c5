#include "rill/api/training/hook_timer.h"

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill::train {

SecondOrStepTimer::SecondOrStepTimer(const SecondOrStepTimerOptions& options) : options_(options) {
  require(options.every_secs || options.every_steps,
          "Either every_secs or every_steps should be provided.");
  require(!options.every_secs || !options.every_steps,
          "Can not provide both every_secs and every_steps.");
}

void SecondOrStepTimer::reset() { last_step_.reset(); }

bool SecondOrStepTimer::should_trigger_for_step(std::int64_t step) {
  if (!last_step_) return true;
  if (*last_step_ == step) return false;
  if (options_.every_secs) return wall_seconds() >= last_time_ + *options_.every_secs;
  return step >= *last_step_ + *options_.every_steps;
}

std::optional<HookTimer::Elapsed> SecondOrStepTimer::update_last_triggered_step(std::int64_t step) {
  const double time = wall_seconds();
  std::optional<Elapsed> elapsed;
  if (last_step_) elapsed = {time - last_time_, step - *last_step_};
  last_time_ = time;
  last_step_ = step;
  return elapsed;
}

}  // namespace rill::train
