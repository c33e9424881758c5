#pragma once

#include <string>

#include "rill/kernel/step_context.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

// The largest things alive, for out-of-memory messages: tensors of the step, variables and what
// else the session and the step keep.
std::string memory_report(const Plan& plan, const Workspace& workspace,
                          const ResourceManager& resources);

}  // namespace rill
