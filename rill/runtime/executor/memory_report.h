#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rill/kernel/step_context.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

// Bytes and what they are.
using LiveTensors = std::vector<std::pair<std::int64_t, std::string>>;
void add_live_tensor(const PlanNode& node, std::size_t output, const Tensor& tensor,
                     LiveTensors& live);
std::string live_tensors_text(LiveTensors live);

// The largest things alive, for out-of-memory messages: tensors of the step, variables and what
// else the session and the step keep.
std::string memory_report(const Plan& plan, const Workspace& workspace,
                          const ResourceManager& resources);

}  // namespace rill
