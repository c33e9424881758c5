#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/executor/nan_search.h"
#include "rill/runtime/executor/node_runner.h"

namespace rill {
namespace {

void check_interrupted(const StepContext& step, const ExecutorOptions& options) {
  if (step.cancellation->cancelled()) throw cancelled_error();
  if (options.deadline_nanos != 0 && monotonic_nanos() > options.deadline_nanos)
    throw timeout_error();
}

void clear_dying(const Plan& plan, const PlanNode& node, Workspace& workspace) {
  for (int i = node.dying_begin; i < node.dying_end; ++i) {
    Value& value =
        workspace.slots[static_cast<std::size_t>(plan.dying[static_cast<std::size_t>(i)])];
    value.tensor.clear();
    if (value.ref != nullptr) value.ref.reset();
  }
}

}  // namespace

void run_in_order(const Plan& plan, Workspace& workspace, StepContext& step,
                  const ExecutorOptions& options) {
  ArenaStep memory(plan, workspace, true);
  const PlanNode* current = nullptr;
  try {
    for (const PlanNode& node : plan.nodes) {
      check_interrupted(step, options);
      current = &node;
      NodeBegin begin = StepTrace::begin(options.trace);
      prepare_node(plan, node, workspace, takeable(node.takeable_in_order, options),
                   memory.arena());
      begin.prepared();
      run_prepared(node, values_of(node, workspace), step, memory.arena());
      if (options.nan_search != nullptr)
        options.nan_search->look(plan, node, values_of(node, workspace));
      if (options.trace != nullptr)
        options.trace->note(plan, node, values_of(node, workspace), begin);
      clear_dying(plan, node, workspace);
      current = nullptr;
    }
  } catch (...) {
    if (current == nullptr) throw;
    throw node_error(*current, values_of(*current, workspace));
  }
  memory.end();
}

}  // namespace rill
