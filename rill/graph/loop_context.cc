#include <algorithm>
#include <array>

#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_context.h"

namespace rill {
namespace {

// Of these a gradient needs the small result only, so that is what the forward loop keeps.
bool is_cheaper_forward(const Node& node) { return node.op().has(kMetadata); }

LoopHistory* history_at(const Scope& at) {
  LoopContext* const loop = at.flow() == nullptr ? nullptr : at.flow()->loop();
  return loop == nullptr ? nullptr : loop->history.get();
}

// All that it reads is the same in every iteration, so nothing says in which iterations it should
// run.
bool is_in_no_iteration(const Node& node) {
  return node.control_inputs().empty() &&
         std::ranges::all_of(node.inputs(),
                             [](const Output& input) { return is_constant_enter(*input.node); });
}

}  // namespace

LoopContext& LoopContext::create(Graph& graph, std::string name, FlowContext* outer,
                                 const LoopOptions& options) {
  auto context = std::make_shared<LoopContext>(graph, std::move(name), outer, options);
  graph.keep_flow(context);
  return *context;
}

Output LoopContext::enter(const Scope& at, Output value, Enters how, std::string_view name) {
  Scope scope = at;
  const char* const op = is_ref(value.dtype()) ? "RefEnter" : "Enter";
  const Output inside = scope
                            .add(op, {value},
                                 {{"frame_name", name_},
                                  {"is_constant", how == Enters::kConstant},
                                  {"parallel_iterations", options.parallel_iterations}},
                                 name == "Enter" ? op : name)
                            .output();
  if (how == Enters::kVariable) graph_.refine_shape(inside, value.shape());
  return inside;
}

void LoopContext::adopt_enters(const Scope& at, std::span<const Output> enters) {
  const LoopContext* const outer_loop = outer_ == nullptr ? nullptr : outer_->loop();
  // What is kept belongs to a context around this loop, but to the same loop.
  const auto is_around = [&](const Node& node) {
    const FlowContext* const wanted = output_context(node);
    const FlowContext* context = outer_;
    while (context != wanted) {
      if (context == nullptr || context == outer_loop) return false;
      context = context->outer();
    }
    return true;
  };
  for (const Output& enter : enters) {
    const std::array inputs{enter.node->input(0)};
    for (Node* before : at.control_for(inputs))
      if (is_around(*before)) graph_.add_control_input(*enter.node, *before);
    graph_.set_flow(*enter.node, this);
    at.count_as_inside(*enter.node);
  }
}

void LoopContext::start_with(std::span<const Output> values) {
  forget_values();
  for (const Output& value : values) know(value);
}

Output LoopContext::bring_in(const Scope& at, Output value) {
  if (knows(value) || value.node->flow() == this) return stand_in_for(value);
  know(value);
  if (LoopHistory* const history = history_at(at)) {
    if (output_loop(*value.node) == &history->forward()) {
      const Output remembered = history->value_of(at, value);
      add_stand_in(value, remembered);
      return remembered;
    }
  }
  const Output around = outer_ == nullptr ? value : outer_->bring_in(at, value);
  const Output inside = enter(at.without_control(), around, Enters::kConstant);
  graph_.forbid_feed(*inside.node);
  adopt_enters(at, std::array{inside});
  know(inside);
  add_stand_in(value, inside);
  return inside;
}

void LoopContext::take_in(const Scope& at, Node& node, std::span<Node* const> outside) {
  if (LoopHistory* const history = history_at(at); history != nullptr && is_cheaper_forward(node)) {
    Node& source = *node.input(0).node;
    FlowContext* const home = source.flow();
    if (home != nullptr && home->loop() == &history->forward()) {
      // The node stays where its input is; whoever reads it here gets the history of its output.
      if (home->is_loop()) return static_cast<LoopContext*>(home)->take_in_here(at, node, outside);
      return home->take_in(at, node, outside);
    }
  }
  take_in_here(at, node, outside);
}

void LoopContext::take_in_here(const Scope& at, Node& node, std::span<Node* const> outside) {
  graph_.set_flow(node, this);
  if (node.input_count() == 0) {
    if (node.control_inputs().empty()) graph_.add_control_input(node, *pivot().node);
  } else {
    bring_in_inputs(at, node);
    if (is_in_no_iteration(node)) graph_.add_control_input(node, *pivot().node);
  }
  for (int i = 0; i < node.output_count(); ++i) know(node.output(i));
  // To wait for something outside means to wait for a value of it that comes into the loop.
  for (Node* before : outside) {
    if (before->output_count() == 0) continue;
    Scope here = at.without_control().inside(this);
    graph_.add_control_input(node, *identity(here, before->output(0)).node);
  }
  if (outer_ == nullptr && node.op().has(kExit)) return;
  graph_.forbid_fetch(node);
  graph_.forbid_feed(node);
}

}  // namespace rill
