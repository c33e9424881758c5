#pragma once

#include <memory>
#include <span>
#include <string>

#include "rill/kernel/step_context.h"

namespace rill {

// A function that is called in the background, outside of steps.
class BackgroundFunction {
 public:
  virtual ~BackgroundFunction() = default;
  virtual const std::vector<DType>& argument_types() const = 0;
  virtual const std::vector<DType>& result_types() const = 0;
  virtual bool may_block() const = 0;
  // Runs on this thread until it has ended, whatever it has to wait for; takes the arguments'
  // values away and sets the results. From several threads at once. Throws what the body's nodes
  // throw, and Cancelled when the work is cancelled or the session is gone.
  virtual void call(std::span<Tensor> arguments, std::span<Tensor> results) = 0;
};

// Function calls that belong to no step: those of an input pipeline, which goes on between steps.
// The object may outlive the session; its calls are cancelled then.
class BackgroundCalls {
 public:
  virtual ~BackgroundCalls() = default;
  virtual std::shared_ptr<BackgroundFunction> bind(const FuncName& function) = 0;
  // Cancels all these calls; set by cancel() and when the session is closed.
  virtual Cancellation& cancellation() = 0;
  virtual void cancel() = 0;
  // The session's functions, as a serialized FunctionDefLibrary.
  virtual std::string function_library() = 0;
  // Calls for cleaning up, which may be made after cancel(); the session is not destroyed while the
  // result is held. Throws Cancelled when it already is.
  virtual std::shared_ptr<BackgroundCalls> last_calls() = 0;
};

// Implemented by the FunctionCaller of steps that run in a session.
class BackgroundCallsMaker {
 public:
  virtual ~BackgroundCallsMaker() = default;
  virtual std::shared_ptr<BackgroundCalls> make_background_calls() = 0;
};

// Throws Internal where no session runs.
std::shared_ptr<BackgroundCalls> make_background_calls(StepContext& step);

}  // namespace rill
