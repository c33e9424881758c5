#pragma once

#include <mutex>

#include "rill/runtime/step/step_cancellation.h"

namespace rill {

// Cancels the steps that a thread runs, from another thread. Outlives its scopes.
class StepCanceller {
 public:
  // Ends the step that runs; later ones of the same scope are ended as they begin.
  void cancel();

  // While there is one, steps that this thread begins can be cancelled.
  class Scope {
   public:
    explicit Scope(StepCanceller& canceller);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StepCanceller* const before_;
  };
  static StepCanceller* of_this_thread();
  // For threads that take turns on one: puts `other` in its place, which is what was there before.
  static void swap_of_this_thread(StepCanceller*& other);

  // For who runs steps. After leave() nobody touches the cancellation of the step any more.
  void enter(StepCancellation& step);
  void leave();

 private:
  std::mutex mutex_;
  StepCancellation* running_ = nullptr;  // guarded by mutex_, as what follows
  bool is_cancelled_ = false;
};

}  // namespace rill
