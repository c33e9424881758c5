#include <chrono>
#include <thread>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/step_hooks.h"
#include "rill/base/blocking.h"

namespace rill::train {

void GlobalStepWaiterHook::begin() {
  is_started_ = false;
  global_step_ = global_step_for("_GlobalStepWaiterHook");
}

std::optional<SessionRunArgs> GlobalStepWaiterHook::before_run(SessionRunContext& context) {
  if (is_started_ || wait_until_step_ <= 0) {
    is_started_ = true;
    return {};
  }
  logging::info("Waiting for global step ", wait_until_step_, " before starting training.");
  std::int64_t logged_step = 0;
  while (true) {
    const std::int64_t step = read_step(context.session(), global_step_);
    if (step >= wait_until_step_) break;
    if (step - logged_step > 1000) {
      logging::info("Waiting for global step ", wait_until_step_,
                    " before starting training. Current step is ", step, ".");
      logged_step = step;
    }
    if (while_waiting) while_waiting();
    const Blocking others_run;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  is_started_ = true;
  return {};
}

}  // namespace rill::train
