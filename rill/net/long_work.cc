#include "rill/net/long_work.h"

namespace rill::net {

namespace {

int& long_works() {
  thread_local int count = 0;
  return count;
}

}  // namespace

LongWork::LongWork() {
  before_long_work();
  ++long_works();
}
LongWork::~LongWork() { --long_works(); }
bool LongWork::is_here() { return long_works() > 0; }

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
