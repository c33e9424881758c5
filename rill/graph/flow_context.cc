#include "rill/graph/flow_context.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {

LoopContext* FlowContext::loop() {
  FlowContext* context = this;
  while (context != nullptr && !context->is_loop()) context = context->outer_;
  return static_cast<LoopContext*>(context);
}

std::vector<Node*> FlowContext::drop_outside(std::vector<Node*>& control_inputs) {
  const LoopContext* own = loop();
  std::vector<Node*> outside;
  if (own == nullptr) return outside;
  const auto is_inside = [&](const Node* node) { return output_loop(*node) == own; };
  std::ranges::copy_if(control_inputs, std::back_inserter(outside), std::not_fn(is_inside));
  std::erase_if(control_inputs, std::not_fn(is_inside));
  return outside;
}

void FlowContext::know_everywhere(Output value) {
  for (FlowContext* context = this; context != nullptr; context = context->outer_)
    context->know(value);
}

// A branch may return what a loop in it made: the loop around the branch then reads it, too.
void FlowContext::leave(std::span<const Output> results) const {
  for (FlowContext* around = outer_; around != nullptr; around = around->outer_) {
    for (const Output& result : results) around->know(result);
    if (around->is_loop()) break;
  }
}

Output FlowContext::stand_in_for(Output value) const {
  const auto found = stand_ins_.find(value);
  return found == stand_ins_.end() ? value : found->second;
}

void FlowContext::bring_in_inputs(const Scope& at, Node& node) {
  for (int i = 0; i < node.input_count(); ++i) {
    // An imported loop's own edge back.
    if (node.op().has(kMerge) && node.input(i).node->op().has(kNextIteration)) continue;
    const Output inside = bring_in(at, node.input(i));
    if (inside != node.input(i)) graph_.set_input(node, i, inside);
  }
}

FlowContext* output_context(const Node& node) {
  FlowContext* const context = node.flow();
  return context != nullptr && node.op().has(kExit) ? context->outer() : context;
}

LoopContext* output_loop(const Node& node) {
  FlowContext* const context = output_context(node);
  return context == nullptr ? nullptr : context->loop();
}

bool contains(const FlowContext* outer, const FlowContext* inner) {
  while (inner != nullptr && inner != outer) inner = inner->outer();
  return inner == outer;
}

bool is_constant_enter(const Node& node) {
  return node.op().has(kEnter) && node.attr<bool>("is_constant");
}

bool is_loop_switch(const Node& node) {
  return node.op().has(kSwitch) && node.flow() != nullptr && node.flow()->is_loop();
}

Node* constant_enter_behind(Output value) {
  const auto passes_on = [](const Node& node) {
    return node.op().has(kSwitch) || node.op().name == "Identity" ||
           node.op().name == "RefIdentity";
  };
  Node* node = value.node;
  while (passes_on(*node)) node = node->input(0).node;
  return is_constant_enter(*node) ? node : nullptr;
}

namespace {

const LoopContext* forward_of(const LoopContext* loop) {
  return loop == nullptr || loop->history == nullptr ? nullptr : &loop->history->forward();
}

// A loop that computes gradients may read the loop it goes back through, and that one's inner
// loops; gradients of gradients look the other way.
bool may_read(const LoopContext* reader, const LoopContext* source) {
  if (contains(source, reader)) return true;
  if (const LoopContext* forward = forward_of(reader))
    if (contains(source, forward) || source->outer() == forward) return true;
  const LoopContext* undone = forward_of(source);
  return undone != nullptr && (undone == reader || forward_of(undone) == reader);
}

}  // namespace

void check_sources(const NodeSpec& node, const FlowContext* context) {
  for (const Output& input : node.inputs) {
    if (!input.node || input.node->flow() == nullptr) continue;
    const FlowContext* const source = output_context(*input.node);
    if (source == nullptr || source == context) continue;
    const LoopContext* const source_loop = output_loop(*input.node);
    if (source_loop == nullptr) continue;
    const LoopContext* const loop =
        context == nullptr ? nullptr : const_cast<FlowContext*>(context)->loop();
    if (loop == nullptr) {
      // Nodes that take values into a branch or loop are made outside of it.
      if (node.op == "Enter" || node.op == "RefEnter" || node.op == "Switch" ||
          node.op == "RefSwitch")
        continue;
      raise(Code::kInvalidArgument, "Cannot use '", input.node->name(), "' as input to '",
            node.name, "' because '", input.node->name(), "' is in a while loop.");
    }
    require(may_read(loop, source_loop), "Cannot use '", input.node->name(), "' as input to '",
            node.name, "' because they are in different while loops.");
  }
}

void take_in_imported(const Scope& at, std::span<Node* const> nodes) {
  FlowContext* const context = at.flow();
  if (context == nullptr) return;
  // First all of them: an imported loop reads values of nodes that come later.
  for (Node* node : nodes) at.graph().set_flow(*node, context);
  for (Node* node : nodes) {
    context->take_in(at, *node, {});
    at.count_as_inside(*node);
  }
}

Node& add_switch(const Scope& at, Output data, Output pred, std::string_view name) {
  Scope beside = at.without_colocation().colocated_with(*data.node);
  return beside.add(is_ref(data.dtype()) ? "RefSwitch" : "Switch", {data, pred}, {}, name);
}

}  // namespace rill
