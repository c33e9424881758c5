#include "rill/runtime/step/step_canceller.h"

#include <utility>

namespace rill {
namespace {

StepCanceller*& current_canceller() {
  thread_local StepCanceller* current = nullptr;
  return current;
}

}  // namespace

StepCanceller::Scope::Scope(StepCanceller& canceller)
    : before_(std::exchange(current_canceller(), &canceller)) {}
StepCanceller::Scope::~Scope() { current_canceller() = before_; }

StepCanceller* StepCanceller::of_this_thread() { return current_canceller(); }

void StepCanceller::swap_of_this_thread(StepCanceller*& other) {
  std::swap(current_canceller(), other);
}

void StepCanceller::cancel() {
  const std::lock_guard lock(mutex_);
  is_cancelled_ = true;
  if (running_ != nullptr) running_->cancel();
}

void StepCanceller::enter(StepCancellation& step) {
  const std::lock_guard lock(mutex_);
  running_ = &step;
  if (is_cancelled_) step.cancel();
}

void StepCanceller::leave() {
  const std::lock_guard lock(mutex_);
  running_ = nullptr;
}

}  // namespace rill
