#pragma once

#include "rill/kernel/kernel_registry.h"

namespace rill {

// Entries of kernels that set their outputs themselves, for any type.

constexpr KernelEntry allocating_kernel(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true};
}
constexpr KernelEntry allocating_kernel(const OpDecl& op, AsyncKernelFn run) {
  return {.op = &op, .run_async = run, .allocates = true};
}

// The same, of an op that does nothing that would pay for another thread.
constexpr KernelEntry quick_kernel(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true, .expensive = false};
}
constexpr KernelEntry quick_kernel(const OpDecl& op, AsyncKernelFn run) {
  return {.op = &op, .run_async = run, .allocates = true, .expensive = false};
}

}  // namespace rill
