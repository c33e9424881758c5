#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/variables/variable.h"
#include "rill/runtime/session/session.h"

namespace rill::train {

// One step: feeds by tensor, fetches ("node:0"), targets ("node"). A Session's run, or that of
// whoever runs steps in another way.
using RunSteps = std::function<std::vector<Tensor>(
    const std::vector<std::pair<std::string, Tensor>>& feeds,
    const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>;
RunSteps run_steps_of(Session& session);

// What came of asking for values of a checkpoint. Objects and variables that are made later are
// found by later calls.
class LoadStatus {
 public:
  virtual ~LoadStatus() = default;

  // Each throws FailedPrecondition where it does not hold: everything in the checkpoint has an
  // object, and every object something in the checkpoint; every object has; anything has.
  LoadStatus& assert_consumed();
  LoadStatus& assert_existing_objects_matched();
  LoadStatus& assert_nontrivial_match();
  LoadStatus& expect_partial() { return *this; }
  // The same as texts that say what does not hold; empty where all is well.
  virtual std::string unconsumed() = 0;
  virtual std::string unmatched() = 0;
  virtual std::string trivial() = 0;

  // Gives variables the values of the checkpoint. The second initialises all others.
  virtual void run_restore_ops(const RunSteps& run) = 0;
  virtual void initialize_or_restore(const RunSteps& run) = 0;
  // Only those that have got nothing from here yet.
  virtual void run_new_restore_ops(const RunSteps&) {}
  void run_restore_ops(Session& session) { run_restore_ops(run_steps_of(session)); }
  void initialize_or_restore(Session& session) { initialize_or_restore(run_steps_of(session)); }

  // For variables by name: those that may be missing in the checkpoint.
  virtual void add_optional(const Variable&) {}
};
using LoadStatusRef = std::shared_ptr<LoadStatus>;

}  // namespace rill::train
