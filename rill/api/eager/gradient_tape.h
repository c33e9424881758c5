#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rill/api/variables/variable.h"
#include "rill/grad/gradients.h"

namespace rill {

class Tape;

struct GradientTapeOptions {
  bool persistent = false;  // gradient() may be called several times
  bool watch_accessed_variables = true;
};

struct TapeGradientOptions {
  std::vector<Gradient> output_gradients = {};  // empty, or one for each target; ones otherwise
  Unconnected unconnected_gradients = Unconnected::kNone;
};

// Records what is computed eagerly while it lives, and tells gradients of it.
//
//   GradientTape tape;
//   Output loss = reduce_mean(square(matmul(x, w) - y));
//   Output slope = tape.gradient(loss, w).dense();
//
// Trainable variables are watched when they are read, other tensors when the program says so. Inner
// tapes see what outer ones see: gradients that are taken while an outer tape records can be
// differentiated again.
class GradientTape {
 public:
  explicit GradientTape(const GradientTapeOptions& options = {});
  GradientTape(const GradientTape&) = delete;
  GradientTape& operator=(const GradientTape&) = delete;

  void watch(const Output& tensor);
  void watch(const Variable& variable);
  // Stops recording; stop_recording only while `f` runs.
  void stop();
  void start();
  bool is_recording() const;
  void stop_recording(const std::function<void()>& f);
  void reset();  // forgets what was recorded and watched

  // The gradients of the sum of all targets, as sources have them; empty where they do not depend
  // on a source. A variable is known by its handle. Throws FailedPrecondition for the second call
  // of a tape that is not persistent.
  std::vector<Gradient> gradient(std::span<const Output> targets, std::span<const Output> sources,
                                 const TapeGradientOptions& options = {});
  Gradient gradient(const Output& target, const Output& source);
  Gradient gradient(const Output& target, const Variable& source);
  std::vector<Gradient> gradient(const Output& target, const std::vector<Variable>& sources);
  // Derivatives of every element of `target`, or of each row by the same row of `source`: as
  // rill::jacobian and rill::batch_jacobian.
  Gradient jacobian(const Output& target, const Output& source);
  Output batch_jacobian(const Output& target, const Output& source);
  // The handles of the variables that were watched, in order.
  const std::vector<Output>& watched() const;

 private:
  void check_use();
  std::shared_ptr<Tape> tape_;
  const bool persistent_;
  bool used_ = false;
};

// The same of a tape that is started and stopped by hand: it records the elements that are taken
// of `target`.
Gradient jacobian(Tape& tape, const Output& target, const Output& source);
Output batch_jacobian(Tape& tape, const Output& target, const Output& source);

}  // namespace rill
