#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"

namespace rill {
namespace {

bool is_at_least_as_known(const PartialShape& shape, const PartialShape& than) {
  if (!than.has_rank()) return true;
  if (shape.rank() != than.rank()) return false;
  for (int d = 0; d < than.rank(); ++d)
    if (than[d] != kUnknownDim && than[d] != shape[d]) return false;
  return true;
}

std::vector<Output> outputs_of(Scope& scope, std::span<const Input> inputs) {
  std::vector<Output> outputs;
  for (const Input& input : inputs)
    outputs.push_back(
        input.as_output(scope, input.is_value() ? "Const" : "packed", DType::invalid));
  return outputs;
}

}  // namespace

Output merge_with_itself(Scope& scope, Output x, std::string_view name) {
  return scope.add(is_ref(x.dtype()) ? "RefMerge" : "Merge", {std::vector<Input>{x, x}}, {}, name)
      .output();
}

Output add_back_edge(Scope& scope, Output merge, Output next) {
  const char* const op = is_ref(next.dtype()) ? "RefNextIteration" : "NextIteration";
  const Output back = scope.add(op, {next}, {}, "NextIteration").output();
  scope.graph().set_input(*merge.node, 1, back);
  return back;
}

WhileBuilder::WhileBuilder(Scope scope, std::span<const Input> variables, WhileOptions options)
    : scope_(std::move(scope)), options_(std::move(options)) {
  require(!variables.empty(), "No loop variables provided");
  require(options_.parallel_iterations >= 1, "parallel_iterations must be a positive integer.");
  std::vector<Output> given;
  if (options_.maximum_iterations) {
    const Output limit =
        options_.maximum_iterations->as_output(scope_, "maximum_iterations", DType::invalid);
    require(limit.shape().rank() == 0,
            "maximum_iterations must be a scalar, saw shape: ", limit.shape());
    given.push_back(Input(0).as_output(scope_, "iteration_counter", base_type(limit.dtype())));
    counts_ = true;
    options_.maximum_iterations = limit;
    if (!options_.shape_invariants.empty())
      options_.shape_invariants.insert(options_.shape_invariants.begin(), PartialShape::scalar());
  }
  loop_ = &LoopContext::create(scope_.graph(), scope_.unique_name("while_context"), scope_.flow(),
                               options_);
  if (counts_) loop_->maximum_iterations = options_.maximum_iterations->output();
  for (const Output& variable : outputs_of(scope_, variables)) given.push_back(variable);
  make_enters(given);
  Scope inside = this->inside();
  for (const Output& enter : loop_->enters) merges_.push_back(merge_with_itself(inside, enter));
  loop_->pred_pivot = merges_[0];
}

void WhileBuilder::make_enters(std::span<const Output> variables) {
  loop_->start_with(variables);
  std::vector<Output> around(variables.begin(), variables.end());
  FlowContext* const outer = loop_->outer();
  const Scope inside = this->inside();
  if (outer != nullptr)
    for (Output& variable : around) variable = outer->bring_in(inside, variable);
  Scope free = scope_.without_control();
  const auto how = options_.shape_invariants.empty() ? LoopContext::Enters::kVariable
                                                     : LoopContext::Enters::kChangingShape;
  for (const Output& variable : around) {
    loop_->enters.push_back(loop_->enter(free, variable, how));
    scope_.graph().forbid_feed(*loop_->enters.back().node);
  }
  // A loop in a loop must not start before the iteration around it has.
  Output pivot;
  for (const FlowContext* c = outer; c != nullptr && !pivot.node; c = c->outer())
    pivot = c->pivot();
  if (pivot.node)
    for (const Output& enter : loop_->enters)
      if (is_constant_enter(*enter.node->input(0).node))
        scope_.graph().add_control_input(*enter.node, *pivot.node);
  set_invariants(around);
  loop_->adopt_enters(scope_, loop_->enters);
  loop_->start_with(loop_->enters);
}

void WhileBuilder::set_invariants(std::span<const Output> variables) {
  const auto& shapes = options_.shape_invariants;
  if (shapes.empty()) return;
  require(shapes.size() == variables.size(), "shape_invariants has ", shapes.size() - counts_,
          " shapes for ", variables.size() - counts_, " loop variables");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Output variable = variables[i];
    require(is_at_least_as_known(variable.shape(), shapes[i]), "The shape invariant specified for ",
            variable.name(),
            " is not compatible with the initial shape of the loop variable. It enters the loop "
            "with shape ",
            variable.shape(), ", but the specified shape invariant is ", shapes[i], ".");
    scope_.graph().refine_shape(loop_->enters[i], shapes[i]);
  }
}

std::vector<Output> WhileBuilder::without_counter(std::vector<Output> all) const {
  if (counts_) all.erase(all.begin());
  return all;
}

std::vector<Output> WhileBuilder::begin_condition() {
  Scope scope = inside();
  if (counts_) within_limit_ = scope.add("Less", {merges_[0], loop_->maximum_iterations}).output();
  return without_counter(merges_);
}

void WhileBuilder::end_condition(const Input& go_on) {
  Scope scope = inside();
  Output decision;
  if (counts_) {
    decision = scope.add("LogicalAnd", {within_limit_, go_on}).output();
  } else {
    decision = go_on.as_output(scope, "Const", DType::invalid);
  }
  loop_->loop_cond = scope.add("LoopCond", {decision}).output();
  for (const Output& merge : merges_)
    switches_.push_back(&add_switch(scope, merge, loop_->loop_cond));
}

std::vector<Output> WhileBuilder::begin_body() {
  Scope scope = inside();
  std::vector<Output> variables;
  for (Node* gate : switches_) {
    const Output value = gate->output(1);
    variables.push_back(is_ref(value.dtype())
                            ? scope.add("RefIdentity", {value}, {}, "Identity").output()
                            : identity(scope, value));
  }
  loop_->body_pivot = variables[0];
  if (counts_) next_count_ = scope.add("AddV2", {variables[0], 1}, {}, "add").output();
  return without_counter(std::move(variables));
}

void WhileBuilder::check_shape(std::size_t variable, Output next) const {
  const Output merge = merges_[variable];
  if (is_at_least_as_known(next.shape(), merge.shape())) return;
  const Output initial = loop_->enters[variable].node->input(0);
  raise(Code::kInvalidArgument, "Input tensor '", initial.name(), "' enters the loop with shape ",
        initial.shape(), ", but has shape ", next.shape(),
        " after one iteration. To allow the shape to vary across iterations, use the "
        "`shape_invariants` argument of tf.while_loop to specify a less-specific shape.");
}

std::vector<Output> WhileBuilder::end_body(std::span<const Input> next) {
  Scope scope = inside();
  std::vector<Output> values;
  if (counts_) values.push_back(next_count_);
  for (const Output& value : outputs_of(scope, next)) values.push_back(value);
  require(values.size() == merges_.size(), "The body of the loop returned ",
          values.size() - counts_, " values for ", merges_.size() - counts_, " loop variables");
  for (std::size_t i = 0; i < values.size(); ++i) {
    check_shape(i, values[i]);
    add_back_edge(scope, merges_[i], values[i]);
  }
  for (Node* gate : switches_) {
    const char* const op = is_ref(gate->output(0).dtype()) ? "RefExit" : "Exit";
    loop_->exits.push_back(scope.add(op, {gate->output(0)}, {}, "Exit").output());
  }
  loop_->leave(loop_->exits);
  return without_counter(loop_->exits);
}

}  // namespace rill
