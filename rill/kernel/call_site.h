#pragma once

#include "rill/kernel/function_caller.h"

namespace rill {

class Device;

// Who calls a function. On a device with memory of its own, arguments and results lie there as
// those of the node do; int32 and objects always lie in host memory.
struct CallSite {
  const Device* device = nullptr;  // where the body runs; nullptr: on the first one
  bool results_on_host = false;    // whatever the device is: the caller looks at them
};

// Implemented by the FunctionCaller of steps that run in a session.
class PlacesCalls {
 public:
  virtual ~PlacesCalls() = default;
  // As FunctionCaller::bind, for a caller on some device.
  virtual std::shared_ptr<BoundFunction> bind_at(const FuncName& function,
                                                 const CallSite& site) = 0;
};

}  // namespace rill
