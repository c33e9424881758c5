#pragma once

#include "rill/graph/function.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

// True if a call of `function` may have to wait for something: it contains an asynchronous kernel,
// or a function that it calls does.
bool may_wait(const FuncName& function, const FunctionLibrary& library,
              const KernelRegistry& kernels);

}  // namespace rill
