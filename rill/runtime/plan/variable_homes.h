#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rill/kernel/step_context.h"
#include "rill/kernel/value.h"
#include "rill/passes/subgraph.h"
#include "rill/runtime/plan/kernel_cache.h"

namespace rill {

// An output that a step does nothing with but assign it to a variable that nobody else reads in
// that step: it may be written into the variable's memory at once, so that what a model is
// restored from takes no memory of its own.
struct VariableHome {
  int output = 0;
  std::shared_ptr<KernelInstance> variable;  // the node that makes it or refers to it
};

// Those of an item whose op has kFillsVariables.
std::vector<VariableHome> find_homes(const Subgraph& graph, int item, KernelCache& kernels);

// Sets the outputs to the memory of their variables where nobody else holds it, others to nothing.
void offer_homes(std::span<const VariableHome> homes, std::span<Value* const> outputs,
                 StepContext& step);

}  // namespace rill
