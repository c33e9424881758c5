#include "rill/net/long_work.h"

namespace rill::net {

LongWorkHooks& long_work_hooks() {
  thread_local LongWorkHooks hooks;
  return hooks;
}

void before_long_work() {
  const LongWorkHooks& hooks = long_work_hooks();
  if (hooks.send != nullptr) hooks.send(hooks.sender);
  if (hooks.step_aside != nullptr) hooks.step_aside(hooks.stepper);
}

}  // namespace rill::net
