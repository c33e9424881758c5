#pragma once

#include "rill/base/function_ref.h"
#include "rill/graph/function.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

// True if `is_so` holds for a node of `function`, or of one that it calls.
bool any_node(const FuncName& function, const FunctionLibrary& library,
              FunctionRef<bool(const FunctionNode&)> is_so);

// True if a call of `function` may block: it contains an asynchronous kernel,
// or a function that it calls does.
bool may_block(const FuncName& function, const FunctionLibrary& library,
               const KernelRegistry& kernels);

}  // namespace rill
