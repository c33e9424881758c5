#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rill/kernel/step_context.h"
#include "rill/kernel/value.h"
#include "rill/passes/subgraph.h"
#include "rill/runtime/plan/kernel_cache.h"

namespace rill {

// A variable that a restore op may read into directly. The step only assigns the output to that
// variable, and nothing else reads the variable in this step; writing the file's values straight
// into its buffer saves a second copy of the model.
struct RestoreTarget {
  int output = 0;
  std::shared_ptr<KernelInstance> variable;  // the node that makes it or refers to it
  Allocator* memory = nullptr;               // instead: of a device to which the output is sent
};

// The restore targets of an item whose op has kFillsVariables.
std::vector<RestoreTarget> find_restore_targets(const Subgraph& graph, int item,
                                                KernelCache& kernels);

// Before the kernel runs: sets each output to its variable's buffer where nobody else holds that,
// or to a byte of the memory where it is wanted.
void restore_in_place(std::span<const RestoreTarget> restore_targets,
                      std::span<Value* const> outputs, StepContext& step);

}  // namespace rill
