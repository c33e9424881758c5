#pragma once

#include <cstdint>

#include "rill/kernel/cancellation.h"
#include "rill/kernel/function_caller.h"
#include "rill/kernel/rendezvous.h"
#include "rill/kernel/resource_manager.h"

namespace rill {

// What one step of a session offers to its kernels. The runtime fills it; none is null while a
// kernel runs, except those marked.
struct StepContext {
  std::int64_t step_id = 0;
  ResourceManager* resources = nullptr;
  ResourceManager* step_resources = nullptr;  // what the end of the step takes away
  Cancellation* cancellation = nullptr;
  Rendezvous* rendezvous = nullptr;     // null in steps without Send and Recv
  FunctionCaller* functions = nullptr;  // null where no session runs, as in constant folding
  int call_depth = 0;                   // how many function calls this is inside of
};

}  // namespace rill
