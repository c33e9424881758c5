#include "rill/api/eager/gradient_tape.h"

#include "rill/api/gradients/hessians.h"
#include "rill/base/error.h"
#include "rill/graph/tape.h"

namespace rill {
namespace {

// f() in the eager graph while `tape` records.
auto recorded(Tape& tape, const auto& f) {
  struct Restored {
    Tape& tape;
    const bool was_on = tape.is_on();
    explicit Restored(Tape& changed) : tape(changed) {
      if (!was_on) tape.start();
    }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;
    ~Restored() {
      if (!was_on) tape.stop();
    }
  } restored(tape);
  const AsDefault eagerly(eager_graph());
  return f();
}

}  // namespace

GradientTape::GradientTape(const GradientTapeOptions& options)
    : tape_(std::make_shared<Tape>(options.watch_accessed_variables)),
      persistent_(options.persistent) {
  tape_->start();
}

void GradientTape::watch(const Output& tensor) { tape_->watch(tensor); }
void GradientTape::watch(const Variable& variable) { tape_->add_variable(variable.handle()); }

void GradientTape::stop() { tape_->stop(); }
void GradientTape::start() { tape_->start(); }
bool GradientTape::is_recording() const { return tape_->is_on(); }
const std::vector<Output>& GradientTape::watched() const { return tape_->variables(); }

void GradientTape::stop_recording(const std::function<void()>& f) {
  require(is_recording(), "Trying to stop recording a tape which is not recording.");
  stop();
  try {
    f();
  } catch (...) {
    start();
    throw;
  }
  start();
}

void GradientTape::reset() {
  tape_->reset();
  used_ = false;
}

void GradientTape::check_use() {
  if (used_ && !persistent_)
    raise(Code::kFailedPrecondition,
          "A non-persistent GradientTape can only be used to compute one set of gradients (or "
          "jacobians)");
  used_ = true;
}

// While the gradients of a tape that is used once are computed, it has no need to record.
std::vector<Gradient> GradientTape::gradient(std::span<const Output> targets,
                                             std::span<const Output> sources,
                                             const TapeGradientOptions& options) {
  check_use();
  const bool records = is_recording();
  if (!persistent_) stop();
  const AsDefault eagerly(eager_graph());
  std::vector<Gradient> found = gradients(current_scope(), targets, sources,
                                          {.grad_ys = options.output_gradients,
                                           .unconnected = options.unconnected_gradients,
                                           .tape = tape_.get()});
  if (records && !persistent_) start();
  return found;
}

Gradient GradientTape::gradient(const Output& target, const Output& source) {
  return gradient(std::span(&target, 1), std::span(&source, 1)).at(0);
}

Gradient GradientTape::gradient(const Output& target, const Variable& source) {
  return gradient(target, source.handle());
}

std::vector<Gradient> GradientTape::gradient(const Output& target,
                                             const std::vector<Variable>& sources) {
  std::vector<Output> handles;
  for (const Variable& source : sources) handles.push_back(source.handle());
  return gradient(std::span(&target, 1), handles);
}

Gradient GradientTape::jacobian(const Output& target, const Output& source) {
  check_use();
  return rill::jacobian(*tape_, target, source);
}

Output GradientTape::batch_jacobian(const Output& target, const Output& source) {
  check_use();
  return rill::batch_jacobian(*tape_, target, source);
}

Gradient jacobian(Tape& tape, const Output& target, const Output& source) {
  return recorded(tape, [&] { return jacobian(target, source, {.tape = &tape}); });
}

Output batch_jacobian(Tape& tape, const Output& target, const Output& source) {
  return recorded(tape, [&] { return batch_jacobian(target, source, {.tape = &tape}); });
}

}  // namespace rill
