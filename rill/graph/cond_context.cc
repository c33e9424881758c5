#include <algorithm>

#include "rill/graph/flow_context.h"

namespace rill {

CondContext& CondContext::create(Graph& graph, std::string name, FlowContext* outer, Output pred,
                                 Output pivot, int branch) {
  auto context = std::make_shared<CondContext>(graph, std::move(name), outer, pred, pivot, branch);
  graph.keep_flow(context);
  return *context;
}

CondContext::CondContext(Graph& graph, std::string name, FlowContext* outer, Output pred,
                         Output pivot, int branch)
    : FlowContext(graph, std::move(name), outer), pred_(pred), pivot_(pivot), branch_(branch) {
  for (const Output& own : {pred, pivot}) {
    know(own);
    add_stand_in(own, own);
  }
}

// What `value` is in the context around this one.
Output CondContext::from_around(const Scope& at, Output value) {
  know(value);
  if (outer_ == nullptr) return value;
  const Output around = outer_->bring_in(at, value);
  know(around);
  add_stand_in(around, around);
  return around;
}

Output CondContext::bring_in(const Scope& at, Output value) {
  if (knows(value)) return stand_in_for(value);
  const Output around = from_around(at, value);
  Node& gate = add_switch(at.without_control(), around, pred_);
  graph_.forbid_fetch(gate);
  graph_.set_flow(gate, this);
  const Output inside = gate.output(branch_);
  know_everywhere(inside);
  add_stand_in(value, inside);
  return inside;
}

void CondContext::take_in(const Scope& at, Node& node, std::span<Node* const>) {
  graph_.set_flow(node, this);
  if (node.input_count() == 0) {
    const bool is_tied = std::ranges::any_of(node.control_inputs(), [&](const Node* before) {
      return before->flow() != nullptr && contains(this, before->flow());
    });
    if (!is_tied) graph_.add_control_input(node, *pivot_.node);
  } else {
    bring_in_inputs(at, node);
    // A function's body may hold nodes without inputs.
    if (graph_.registry().find(node.op().name) == nullptr)
      graph_.add_control_input(node, *pivot_.node);
  }
  for (int i = 0; i < node.output_count(); ++i) know_everywhere(node.output(i));
  if (outer_ != nullptr || !node.op().has(kExit)) graph_.forbid_fetch(node);
}

Output CondContext::result(Scope& at, Output value) {
  if (knows(value)) return stand_in_for(value);
  const Output around = from_around(at, value);
  const Output inside = add_switch(at, around, pred_).output(branch_);
  add_stand_in(value, inside);
  return inside;
}

}  // namespace rill
