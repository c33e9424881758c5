#include "rill/grad/grad_loop.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"

namespace rill {

GradLoop* GradLoop::around(FlowContext* context) {
  LoopContext* const loop = context == nullptr ? nullptr : context->loop();
  return loop == nullptr ? nullptr : dynamic_cast<GradLoop*>(loop->history.get());
}

GradLoop& GradLoop::create(const Scope& at, LoopContext& forward, GradLoop* outer) {
  std::shared_ptr<GradLoop> self(new GradLoop(at, forward, outer));
  self->forward_exits = forward.exits;
  self->pending_exits = static_cast<int>(forward.exits.size());
  FlowContext* const around = outer == nullptr ? forward.outer() : &outer->forward();
  const Output iterations = self->count_forward(at.inside(around));
  Output stack;
  if (outer != nullptr) {
    // The number of iterations of the inner loop differs between the iterations of the outer one.
    around->know(iterations);
    stack = outer->remember(at, iterations);
  }
  const Scope inside = at.inside(outer == nullptr ? around : &outer->backward());
  self->backward_ = &LoopContext::create(at.graph(), inside.unique_name(forward.name()),
                                         inside.flow(), forward.options);
  self->backward_->maximum_iterations = forward.maximum_iterations;
  self->backward_->history = self;
  self->count_backward(inside,
                       outer == nullptr ? iterations : outer->recall(inside, stack, iterations));
  return *self;
}

// Adds a variable to the forward loop that counts its iterations; returns their number.
Output GradLoop::count_forward(Scope at) {
  const Output zero = Input(0).as_output(at, "f_count", DType::i32);
  // Pushes of one run of an inner loop come before those of the next.
  if (outer_ != nullptr) at.graph().add_control_input(*zero.node, outer_->forward_add());
  Scope inside = at.inside(&forward_);
  forward_.know(zero);
  forward_.enters.push_back(
      forward_.enter(inside, zero, LoopContext::Enters::kVariable, "f_count"));
  const Output merge = merge_with_itself(inside, forward_.enters.back());
  Node& gate = inside.add("Switch", {merge, forward_.loop_cond});
  const Output next = inside.add("Add", {gate.output(1), 1}).output();
  forward_index_ = add_back_edge(inside, merge, next).node;
  forward_.exits.push_back(inside.add("Exit", {gate.output(0)}, {}, "f_count").output());
  forward_.leave(std::span(&forward_.exits.back(), 1));
  return forward_.exits.back();
}

// Makes the backward loop: a counter from `iterations` to zero.
void GradLoop::count_backward(Scope at, Output iterations) {
  LoopContext& loop = *backward_;
  const Output one = Input(1).as_output(at, "b_count", DType::i32);
  Scope inside = at.inside(&loop);
  loop.know(iterations);
  loop.enters.push_back(loop.enter(inside, iterations, LoopContext::Enters::kVariable, "b_count"));
  loop.pred_pivot = merge_with_itself(inside, loop.enters.back());
  const Output go_on = inside.add("GreaterEqual", {loop.pred_pivot, one}).output();
  loop.loop_cond = inside.add("LoopCond", {go_on}, {}, "b_count").output();
  Node& gate = inside.add("Switch", {loop.pred_pivot, loop.loop_cond});
  loop.body_pivot = inside.add("Sub", {gate.output(1), one}).output();
  backward_index_ = add_back_edge(inside, loop.pred_pivot, loop.body_pivot).node;
  loop.exits.push_back(inside.add("Exit", {gate.output(0)}, {}, "b_count").output());
  // Pops of one run of an inner loop come before those of the next.
  if (outer_ != nullptr)
    at.graph().add_control_input(outer_->backward_sync(inside), *loop.exits.back().node);
  loop.leave(loop.exits);
}

Node& GradLoop::forward_sync(const Scope& at) {
  if (forward_sync_ == nullptr) {
    forward_sync_ = &at.without_control().add("ControlTrigger", {}, {}, "f_sync");
    at.graph().set_flow(*forward_sync_, &forward_);
    at.graph().add_control_input(*forward_index_, *forward_sync_);
  }
  return *forward_sync_;
}

Node& GradLoop::backward_sync(const Scope& at) {
  if (backward_sync_ == nullptr) {
    backward_sync_ = &at.without_control().add("ControlTrigger", {}, {}, "b_sync");
    at.graph().set_flow(*backward_sync_, backward_);
    at.graph().add_control_input(*backward_index_, *backward_sync_);
  }
  return *backward_sync_;
}

Output GradLoop::remember(const Scope& at, Output value, bool dead_branch) {
  Graph& graph = at.graph();
  const Scope free = at.without_control();
  Scope beside = free.inside(home_).colocated_with(*value.node);
  const Output unlimited = beside.constant(Tensor::scalar<std::int32_t>(-1));
  const Output stack =
      beside.add("StackV2", {unlimited}, {{"elem_type", base_type(value.dtype())}}, "f_acc")
          .output();
  const Output inside = forward_.bring_in(free, stack);
  FlowContext* const context = output_context(*value.node);
  require(context == &forward_ || (context != nullptr && !context->is_loop()), "the value ", value,
          " is neither in the loop ", forward_.name(), " nor in a branch inside of it");
  Scope pushes = free.inside(dead_branch && context != &forward_ ? context->outer() : context);
  Node& push =
      pushes.add("StackPushV2", {inside, value}, {{"swap_memory", forward_.options.swap_memory}});
  if (context == &forward_) {
    graph.add_control_input(*forward_index_, push);
  } else {
    graph.set_flow(push, context);
    graph.add_control_input(forward_sync(free), push);
  }
  graph.add_control_input(push, forward_add());
  return stack;
}

Output GradLoop::recall(const Scope& at, Output stack, Output value, bool dead_branch) {
  // A value of a branch was pushed only in the iterations that took the branch.
  const FlowContext* const end = stack.node->flow();
  FlowContext* context = value.node->flow();
  while (context != nullptr && context != end && context->is_loop()) context = context->outer();
  Scope inside = at.without_control().inside(backward_);
  Output source = stack;
  if (context != nullptr && context != end) {
    const auto& branch = static_cast<const CondContext&>(*context);
    Output pred;
    for (const GradLoop* loop = this; loop != nullptr && !pred.node; loop = loop->outer_)
      pred = loop->recalled(branch.pred());
    if (!pred.node) pred = branch.pred();
    const int taken = dead_branch ? 1 - branch.branch() : branch.branch();
    source = add_switch(inside, stack, pred).output(taken);
  }
  const Output pop =
      inside.add("StackPopV2", {source}, {{"elem_type", base_type(value.dtype())}}).output();
  at.graph().refine_shape(pop, value.shape());
  if (backward_->options.parallel_iterations > 1)
    at.graph().add_control_input(backward_sync(at), *pop.node);
  return pop;
}

Output GradLoop::recalled(Output pred) const {
  const auto found = recalled_.find(pred);
  return found == recalled_.end() ? Output() : found->second;
}

Output GradLoop::value_of(const Scope& at, Output forward_value) {
  if (const Output known = recalled(forward_value); known.node) return known;
  Output value = forward_value, result;
  GradLoop* loop = this;
  while (Node* const enter = constant_enter_behind(value)) {
    // The same in every iteration of its loop: only a loop around may have to remember it.
    value = enter->input(0);
    loop = loop->outer_;
    if (loop == nullptr) {
      result = backward_->bring_in(at, value);
      break;
    }
  }
  if (!result.node && value.node->op().name == "Const") {
    Scope here = at;
    result = here.constant(value.node->attr<Tensor>("value"));
  }
  if (!result.node) {
    const Output stack = loop->remember(at, value);
    result = loop->recall(at, stack, value);
    if (loop != this) result = backward_->bring_in(at, result);
  }
  recalled_[forward_value] = result;
  return result;
}

Output GradLoop::predicate_of(const Scope& at, Output pred) {
  if (const Output known = recalled(pred); known.node) return known;
  const Output stack = remember(at, pred);
  return recalled_[pred] = recall(at, stack, pred);
}

const Gradient* GradLoop::merge_of(const Node& forward_switch) const {
  for (const auto& [node, merge] : merges)
    if (node == &forward_switch) return &merge;
  return nullptr;
}

}  // namespace rill
