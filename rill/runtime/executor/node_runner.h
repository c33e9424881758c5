#pragma once

#include <string>

#include "rill/kernel/output_memory.h"
#include "rill/kernel/step_context.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

// What every executor does for one node.

// The values that one run of a node reads and writes.
struct NodeValues {
  std::span<Value*const> inputs, outputs;
};
inline NodeValues values_of(const PlanNode& node, const Workspace& workspace) {
  Value* const* all = workspace.pointers.data();
  return {{all + node.input_begin, static_cast<std::size_t>(node.input_count)},
          {all + node.output_begin, static_cast<std::size_t>(node.output_count)}};
}

// A snapshot of the variable that `reference` holds. Throws FailedPrecondition when it has no
// value, unless the node's op takes that.
Tensor read_reference(const PlanNode& node, const Value& reference);

// Gives the outputs of a structured kernel their storage; `takeable` are the inputs whose storage
// an output may take over, and what else it needs comes from the step's arena if there is one. A
// kernel that allocates for itself finds input 0 as output 0 where it may write over it, and sets
// the output to something else if it does not.
void prepare_outputs(const PlanNode& node, const NodeValues& values, ShapeMemo& memo,
                     std::uint64_t takeable, const Arena* arena = nullptr);

inline KernelCall make_call(const PlanNode& node, const NodeValues& values, StepContext& step) {
  if (node.fills_variables) [[unlikely]]
    restore_in_place(node.restore_targets, values.outputs, step);
  return KernelCall(node.kernel->node, node.kernel->state.get(), values.inputs, values.outputs,
                    step);
}

// The two steps before a kernel runs, for executors whose values live in a Workspace.
void prepare_node(const Plan& plan, const PlanNode& node, Workspace& workspace,
                  std::uint64_t takeable, const Arena* arena);

// Runs the kernel of a prepared node that is not asynchronous.
inline void run_prepared(const PlanNode& node, const NodeValues& values, StepContext& step,
                         const Arena* arena) {
  KernelCall call = make_call(node, values, step);
  if (arena == nullptr || node.structured || node.output_count == 0) return node.run(call);
  const OutputMemory memory(node.kernel->node, arena->places() + node.place_begin);
  node.run(call);
}

// The error being handled, with node, op, device, input types and shapes and the program's line.
Error node_error(const PlanNode& node, const NodeValues& values);

// The same for an error that came after the node's kernel had returned.
Error late_error(const Plan& plan, const LateError& late);

Error cancelled_error();
Error timeout_error();

}  // namespace rill
