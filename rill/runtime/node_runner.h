#pragma once

#include "rill/kernel/step_context.h"
#include "rill/runtime/plan.h"
#include "rill/runtime/step_stats.h"

namespace rill {

// What both executors do for one node.

// Reads references and allocates the outputs of a structured kernel; `takeable` are the inputs
// whose storage an output may take over.
void prepare_node(const Plan& plan, const PlanNode& node, Workspace& workspace,
                  std::uint64_t takeable);

KernelCall make_call(const PlanNode& node, Workspace& workspace, StepContext& step);

// The error being handled, with node, op, device, input types and shapes and the program's line.
Error node_error(const PlanNode& node, const Workspace& workspace);

// The largest tensors alive in the workspace, for out-of-memory messages.
std::string largest_tensors(const Plan& plan, const Workspace& workspace);

void record(const PlanNode& node, const Workspace& workspace, std::int64_t start_nanos,
            StepStats& stats);

}  // namespace rill
