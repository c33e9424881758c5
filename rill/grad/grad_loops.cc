#include "rill/grad/grad_loops.h"

#include "rill/graph/builders.h"

namespace rill {
namespace {

Output dense_shape_at_run_time(Scope& scope, Output x) { return scope.add("Shape", {x}).output(); }

// What zeros in the place of x are made of: its shape; a variant has to be there itself.
Output telling(Scope& scope, Output x) {
  return is_variant(x) ? x : dense_shape_at_run_time(scope, x);
}
Output zeros_from(Scope& scope, Output told, DType type) {
  return type == DType::variant ? zeros_like(scope, told) : zeros(scope, told, type);
}

// For the output of a cond's Switch that its branch does not use: zeros when the other branch runs.
Output zeros_beside_branch(const Scope& at, Node& node, const CondContext& branch) {
  Scope scope = at;
  const Output value =
      scope.add("Switch", {node.input(0), branch.pred()}).output(1 - branch.branch());
  Node* const pivot = identity(scope, value).node;
  Scope after = scope.with_control({&pivot, 1});
  if (base_type(value.dtype()) == DType::resource || is_variant(value))
    return zeros_like(after, value);
  const Output shape = dense_shape_at_run_time(scope, value);
  return zeros(after, shape, base_type(value.dtype()));
}

}  // namespace

GradLoop* GradLoops::loop_of(const LoopContext* forward) const {
  const auto found = by_forward_.find(forward);
  return found == by_forward_.end() ? nullptr : found->second;
}

GradLoop* GradLoops::see(const Scope& at, const Node& node) {
  if (!node.op().has(kExit) || node.flow() == nullptr) return nullptr;
  LoopContext* const forward = node.flow()->loop();
  if (forward == nullptr || loop_of(forward) != nullptr) return nullptr;
  FlowContext* const around = forward->outer();
  GradLoop* const outer = around == nullptr ? nullptr : loop_of(around->loop());
  loops_.push_back(&GradLoop::create(at, *forward, outer));
  by_forward_[forward] = loops_.back();
  return loops_.back();
}

GradLoop* GradLoops::of(const Node& node, bool of_result) const {
  if (of_result) return loop_of(output_loop(node));
  return node.flow() == nullptr ? nullptr : loop_of(node.flow()->loop());
}

FlowContext* GradLoops::context(const Node& node, bool of_result, FlowContext* home) const {
  GradLoop* const loop = of(node, of_result);
  return loop == nullptr ? home : &loop->backward();
}

Gradient GradLoops::zeros_for(const Scope& at, Node& node, int i) const {
  Scope scope = at;
  if (any()) {
    if (is_loop_switch(node)) return {};
    if (GradLoop* const loop = of(node, false)) return zeros_in_loop(at, *loop, node, i);
  }
  if (node.op().has(kSwitch) && node.flow() != nullptr && !node.flow()->is_loop())
    return zeros_beside_branch(at, node, static_cast<const CondContext&>(*node.flow()));
  return zeros_like(scope, node.output(i));
}

Output GradLoops::zeros_in_loop(const Scope& at, GradLoop& loop, Node& node, int i) const {
  Scope scope = at;
  Output value = node.output(i);
  const DType type = base_type(value.dtype());
  const bool dead_branch = node.op().has(kSwitch);
  if (value.shape().is_full() && !is_variant(value)) {
    const Output zero = type == DType::resource
                            ? zeros_like(scope, value)
                            : scope.constant(Tensor::zeros(type, value.shape().full()));
    if (!dead_branch) return zero;
    const auto& branch = static_cast<const CondContext&>(*node.flow());
    return add_switch(scope, zero, loop.recalled(branch.pred())).output(1 - branch.branch());
  }
  Output told;
  if (dead_branch) {
    auto& branch = static_cast<CondContext&>(*node.flow());
    Scope around = at.inside(branch.outer());
    value = add_switch(around, node.input(0), branch.pred()).output(1 - branch.branch());
    told = telling(around, value);
    at.graph().set_flow(*value.node, &branch);
    at.graph().set_flow(*told.node, &branch);
  } else {
    Scope beside = at.inside(node.flow());
    told = telling(beside, value);
  }
  const Output stack = loop.remember(at, told, dead_branch);
  return zeros_from(scope, loop.recall(at, stack, told, dead_branch), type);
}

Output GradLoops::zeros_for_exit(const Scope& at, Output exit) const {
  Scope scope = at;
  const DType type = base_type(exit.dtype());
  FlowContext* const around = exit.node->flow()->outer();
  GradLoop* const outer = around == nullptr ? nullptr : loop_of(around->loop());
  if (outer == nullptr)
    return exit.shape().is_full() && !is_variant(exit) ? zeros(scope, exit.shape().full(), type)
                                                       : zeros_like(scope, exit);
  Scope inside = at.inside(&outer->backward());
  if (exit.shape().is_full() && !is_variant(exit)) return zeros(inside, exit.shape().full(), type);
  Scope forward = at.inside(around);
  const Output told = telling(forward, exit);
  const Output stack = outer->remember(at, told);
  return zeros_from(inside, outer->recall(inside, stack, told), type);
}

}  // namespace rill
