#pragma once

#include <span>
#include <string>
#include <vector>

#include "rill/kernel/function_caller.h"

namespace rill {

// A function of the session's library that another process is to run.
struct RemoteFunction {
  FuncName name;
  std::string device;  // where, in full
  std::vector<DType> argument_types, result_types;
};

// Who has other processes run functions. Safe from several threads.
class RemoteCaller {
 public:
  virtual ~RemoteCaller() = default;
  // Never blocks. Calls `done` once, from any thread; `step` stays valid until then.
  virtual void call(const RemoteFunction& function, StepContext& step,
                    std::vector<Tensor> arguments, BoundFunction::Done done) = 0;
};

// Implemented by the FunctionCaller of steps that run in a session.
class CallsRemotely {
 public:
  virtual ~CallsRemotely() = default;
  virtual RemoteCaller* remote_caller() = 0;  // null where there are no other processes
};

}  // namespace rill
