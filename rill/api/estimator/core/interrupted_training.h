#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rill/api/training/checkpoint_saver_hook.h"
#include "rill/api/training/session_run_hook.h"

namespace rill::estimator {

// What train_and_evaluate remembers besides checkpoints until training has ended, so that a process
// that was killed is replaced by one that goes on as if nothing had happened: where the input's
// iterators stood at each checkpoint, and which checkpoint was evaluated last. It is in a directory
// of its own, "unfinished", below the model's; nobody else looks at it.
class InterruptedTraining {
 public:
  explicit InterruptedTraining(std::string model_dir);

  // Whether an earlier process left something.
  bool is_resumed() const { return is_resumed_; }
  // None: no checkpoint was.
  std::optional<std::int64_t> evaluated_step() const;
  void set_evaluated_step(std::int64_t step) const;

  // Where the position of step `step` is.
  std::string position_path(std::int64_t step) const;
  bool has_position(std::int64_t step) const;
  void keep_only(std::int64_t step) const;  // deletes the positions of other steps
  void finish() const;                      // nothing is left to remember

  const std::string& model_dir() const { return model_dir_; }

 private:
  const std::string model_dir_, directory_;
  const bool is_resumed_;
};
using InterruptedTrainingRef = std::shared_ptr<InterruptedTraining>;

// Saves the positions of the graph's iterators before each checkpoint, after all
// summaries of earlier steps were written, and takes them there when a session goes on from a
// checkpoint that has one. An input that cannot be saved begins anew; a warning says so.
struct InputPositionParts {
  train::HookRef hook = {};  // the last one of all
  train::ListenerRef listener = {};
};
InputPositionParts save_input_position(InterruptedTrainingRef training);

}  // namespace rill::estimator
