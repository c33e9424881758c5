#pragma once

#include <memory>
#include <span>
#include <string>

#include "rill/kernel/step_context.h"

namespace rill {

// A function that is called outside of steps.
class DetachedFunction {
 public:
  virtual ~DetachedFunction() = default;
  virtual const std::vector<DType>& argument_types() const = 0;
  virtual const std::vector<DType>& result_types() const = 0;
  virtual bool may_wait() const = 0;
  // Runs on this thread until it has ended, whatever it has to wait for; takes the arguments'
  // values away and sets the results. From several threads at once. Throws what the body's nodes
  // throw, and Cancelled when the work is cancelled or the session is gone.
  virtual void call(std::span<Tensor> arguments, std::span<Tensor> results) = 0;
};

// Work that goes on between the steps of a session, as that of an input pipeline does. It may
// outlive the session: then it is cancelled.
class DetachedCalls {
 public:
  virtual ~DetachedCalls() = default;
  virtual std::shared_ptr<DetachedFunction> bind(const FuncName& function) = 0;
  // Of all this work, whether cancel() is called or the session is closed.
  virtual Cancellation& cancellation() = 0;
  virtual void cancel() = 0;
  // The session's functions, as a serialized FunctionDefLibrary.
  virtual std::string function_library() = 0;
  // Calls that may still be made, though this work is cancelled, to leave nothing behind; the
  // session does not go away while they are held. Throws Cancelled when it is gone.
  virtual std::shared_ptr<DetachedCalls> last_calls() = 0;
};

// What steps that run in a session have for their FunctionCaller besides.
class DetachesCalls {
 public:
  virtual ~DetachesCalls() = default;
  virtual std::shared_ptr<DetachedCalls> detach() = 0;
};

// Throws Internal where no session runs.
std::shared_ptr<DetachedCalls> detach_calls(StepContext& step);

}  // namespace rill
