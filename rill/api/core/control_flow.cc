#include "rill/api/core/control_flow.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "rill/api/core/functional_flow.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/op_call.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/eager_array.h"
#include "rill/graph/flow_builders.h"

namespace rill {
namespace {

bool truth(const Output& pred) { return pred.value().scalar_value<bool>(); }

std::vector<Output> branch_results(const CondBuilder& builder, bool taken_if, const BranchFn& fn) {
  const Inside inside(builder.branch(taken_if));
  std::vector<Output> results = fn();
  for (Output& result : results) result = builder.result(taken_if, result);
  return results;
}

std::vector<Output> cond_of_functions(const Scope& scope, const Input& pred,
                                      const BranchFn& true_fn, const BranchFn& false_fn) {
  const auto built = [&](const BranchFn& fn) {
    return build_part(scope.graph(), [&](FunctionBuilder&) { return fn(); });
  };
  Scope inner = scope;
  const Output asked = pred.as_output(inner, "pred", DType::boolean);
  return all_outputs(functional_cond(scope, asked, built(true_fn), built(false_fn)));
}

std::vector<Output> cond_in(const Scope& scope, const Input& pred, const BranchFn& true_fn,
                            const BranchFn& false_fn, const std::string& name) {
  if (executing_eagerly())
    return truth(as_tensor(pred, "pred", DType::boolean)) ? true_fn() : false_fn();
  const Scope inner = scope.named(name);
  if (has_functional_flow(inner.graph())) return cond_of_functions(inner, pred, true_fn, false_fn);
  CondBuilder builder(inner, pred);
  const std::vector<Output> if_true = branch_results(builder, true, true_fn);
  const std::vector<Output> if_false = branch_results(builder, false, false_fn);
  require(!if_true.empty(), "true_fn and false_fn must return at least one result.");
  require(if_true.size() == if_false.size(), "true_fn returned ", if_true.size(),
          " results and false_fn ", if_false.size());
  std::vector<Output> results;
  for (std::size_t i = 0; i < if_true.size(); ++i)
    results.push_back(builder.merge(if_false[i], if_true[i]));
  return results;
}

Output packed(Scope& scope, const std::vector<Output>& predicates) {
  if (predicates.empty()) return scope.constant(Tensor(DType::f32, {0}), "preds_c");
  const std::vector<Input> inputs(predicates.begin(), predicates.end());
  return scope.add("Pack", {inputs}, {}, "preds_c").output();
}

}  // namespace

WhileLoopOptions::operator WhileOptions() const {
  return {.parallel_iterations = parallel_iterations,
          .back_prop = back_prop,
          .swap_memory = swap_memory,
          .maximum_iterations = maximum_iterations,
          .shape_invariants = shape_invariants};
}

namespace {

// A loop of values: each round is over before the next begins.
std::vector<Output> loop_now(const LoopCondFn& cond, const LoopBodyFn& body,
                             std::vector<Output> vars, const WhileLoopOptions& options) {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (options.maximum_iterations)
    most = eager_integers(current_scope(), *options.maximum_iterations).at(0);
  for (std::int64_t round = 0; round < most && truth(cond(vars)); ++round) {
    std::vector<Output> next = body(vars);
    require(next.size() == vars.size(), "body returns ", next.size(), " tensors for ", vars.size(),
            " loop variables");
    vars = std::move(next);
  }
  return vars;
}

}  // namespace

namespace {

// With a limit a counter is the last variable.
std::vector<Output> loop_of_functions(const Scope& scope, const LoopCondFn& cond,
                                      const LoopBodyFn& body, const Inputs& loop_vars,
                                      const WhileLoopOptions& options) {
  FunctionalLoop loop{.shapes = options.shape_invariants,
                      .parallel_iterations = options.parallel_iterations};
  Scope inner = scope;
  for (const Input& variable : loop_vars)
    loop.variables.push_back(variable.as_output(inner, "loop_var", DType::invalid));
  if (loop.shapes.empty())
    for (const Output& variable : loop.variables) loop.shapes.push_back(variable.shape());
  std::optional<Output> most;
  if (options.maximum_iterations) {
    most = options.maximum_iterations->as_output(inner, "maximum_iterations", DType::i32);
    loop.variables.push_back(inner.constant(Tensor::scalar<std::int32_t>(0), "counter"));
    loop.shapes.push_back(PartialShape::scalar());
  }
  const auto part = [&](const auto& build) {
    return build_part(scope.graph(), [&](FunctionBuilder& builder) {
      std::vector<Output> arguments;
      for (std::size_t i = 0; i < loop.variables.size(); ++i)
        arguments.push_back(
            builder.add_argument_like(loop.variables[i], "loop_var", loop.shapes[i]));
      std::vector<Output> own = arguments;
      if (most) own.pop_back();
      return build(own, arguments.back());
    });
  };
  loop.cond = part([&](const std::vector<Output>& own, const Output& counter) {
    const Output goes_on = cond(own);
    if (!most) return std::vector<Output>{goes_on};
    Scope& at = current_scope();
    const Output below = at.add("Less", {counter, *most}).output();
    return std::vector<Output>{at.add("LogicalAnd", {below, goes_on}).output()};
  });
  loop.body = part([&](const std::vector<Output>& own, const Output& counter) {
    std::vector<Output> next = body(own);
    if (most) next.push_back(current_scope().add("AddV2", {counter, 1}).output());
    return next;
  });
  std::vector<Output> results = functional_while(scope, std::move(loop));
  if (most) results.pop_back();
  return results;
}

}  // namespace

std::vector<Output> cond(const Input& pred, const BranchFn& true_fn, const BranchFn& false_fn,
                         const CondOptions& options, std::source_location at) {
  return cond_in(here(at), pred, true_fn, false_fn, options.name);
}

Output cond_one(const Input& pred, const std::function<Output()>& true_fn,
                const std::function<Output()>& false_fn, const CondOptions& options,
                std::source_location at) {
  const auto listed = [](const std::function<Output()>& f) {
    return [&f] { return std::vector<Output>{f()}; };
  };
  return cond(pred, listed(true_fn), listed(false_fn), options, at)[0];
}

std::vector<Output> case_of(const std::vector<std::pair<Output, BranchFn>>& branches,
                            const BranchFn& otherwise, const CaseOptions& options,
                            std::source_location at) {
  require(!branches.empty() || otherwise, "case_of needs at least one branch");
  const Inside named(here(at).named(options.name));
  std::vector<Output> predicates;
  for (const auto& [pred, fn] : branches) predicates.push_back(pred);
  auto asked = branches;
  BranchFn next = otherwise;
  if (!next) {
    asked.pop_back();
    next = [&predicates, last = branches.back().second] {
      Scope& scope = current_scope();
      const Inside after(scope.with_control(assert_last_is_true(scope, predicates)));
      return last();
    };
  }
  for (auto it = asked.rbegin(); it != asked.rend(); ++it)
    next = [pred = it->first, fn = it->second, rest = next] {
      return cond_in(current_scope(), pred, fn, rest, "cond");
    };
  if (!options.exclusive) return next();
  std::vector<Output> checked;
  for (const auto& [pred, fn] : asked) checked.push_back(pred);
  Node* const check = &assert_at_most(current_scope(), checked, 1, "Input error: exclusive=True");
  const Inside after(current_scope().with_control({&check, 1}));
  return next();
}

std::vector<Output> while_loop(const LoopCondFn& cond, const LoopBodyFn& body,
                               const Inputs& loop_vars, const WhileLoopOptions& options,
                               std::source_location at) {
  if (executing_eagerly()) return loop_now(cond, body, as_tensors(loop_vars), options);
  const Scope named = here(at).named(options.name);
  if (has_functional_flow(named.graph()))
    return loop_of_functions(named, cond, body, loop_vars, options);
  WhileBuilder builder(named, loop_vars, options);
  const Inside inside(builder.inside());
  builder.end_condition(cond(builder.begin_condition()));
  const std::vector<Output> next = body(builder.begin_body());
  return builder.end_body(std::vector<Input>(next.begin(), next.end()));
}

Node& add_assert(Scope& scope, const Input& condition, const Inputs& data, int summarize,
                 std::string_view name) {
  Scope inner = scope.named(name);
  const Output checked = condition.as_output(inner, "Condition", DType::boolean);
  std::vector<Input> values;
  bool simple = true;  // texts and counts are cheap to have at hand; other values only on failure
  for (const Input& value : data) {
    const Output output =
        value.is_value() ? value.as_output(inner, "Const", DType::invalid) : value.output();
    const DType type = base_type(output.dtype());
    simple = simple && (type == DType::string || type == DType::i32);
    values.emplace_back(value.is_value() ? value : Input(output));
  }
  const auto fails = [&](Scope& at) -> Node& {
    return at.add("Assert", {checked, values}, {{"summarize", summarize}}, "Assert");
  };
  if (simple || inner.graph().is_eager()) return fails(inner);
  Scope guard = inner.named("AssertGuard");
  CondBuilder builder(guard, checked);
  Scope fine = builder.branch(true), failed = builder.branch(false);
  const Output if_true = builder.result(true, fine.add("NoOp", {}));
  const Output if_false = builder.result(false, fails(failed));
  return *builder.merge(if_false, if_true).node;
}

Node& assert_true(const Input& condition, const Inputs& data, const AssertOptions& options,
                  std::source_location at) {
  Scope scope = here(at);
  return add_assert(scope, condition, data, options.summarize, options.name);
}

Node& assert_at_most(Scope& scope, const std::vector<Output>& predicates, int most,
                     const std::string& message) {
  const Output all = packed(scope, predicates);
  const Output counted = cast(scope, all, DType::i32);
  const Output axes = scope.constant(Tensor::vector<std::int32_t>({0}));
  const Output count = scope.add("Sum", {counted, axes}, {}, "num_true_conds").output();
  const Output limit = scope.constant(Tensor::scalar<std::int32_t>(most), "n_true_conds");
  const Output fits = scope.add("LessEqual", {count, limit}).output();
  std::vector<std::string> names;
  for (const Output& pred : predicates) names.push_back(pred.name());
  const std::string text = str_cat(message, ": more than ", most, " conditions (",
                                   join(names, ", "), ") evaluated as True:");
  return add_assert(scope, fits, {text, all}, static_cast<int>(predicates.size()));
}

std::vector<Node*> assert_last_is_true(Scope& scope, const std::vector<Output>& predicates) {
  const Output all = packed(scope, predicates);
  const std::vector<Output> others(predicates.begin(), predicates.end() - 1);
  const std::string message =
      str_cat("Implementation error: selected default action #", others.size(),
              " was called, but some of other predicates are True: ");
  Node& none_other = assert_at_most(scope, others, 0, message);
  Node& last = add_assert(scope, predicates.back(),
                          {"Input error: None of conditions evaluated as True:", all}, 3);
  return {&none_other, &last};
}

Output with_dependencies(const Dependencies& dependencies, const Input& output_tensor,
                         const WithDependenciesOptions& options, std::source_location at) {
  const Block in(options.name, "control_dependency", at);
  const Output value = as_tensor(output_tensor);
  Scope beside = current_scope().with_control(dependencies).colocated_with(*value.node);
  return identity(beside, value, in.own_name());
}

std::optional<bool> smart_constant_value(const Input& pred) {
  const auto truth = [](const Tensor& value) -> std::optional<bool> {
    if (value.dtype() != DType::boolean || value.element_count() != 1) return {};
    return *value.data<bool>();
  };
  if (pred.is_value()) return truth(pred.value(DType::boolean));
  const Tensor* known = pred.is_output() ? constant_value(pred.output()) : nullptr;
  return known == nullptr ? std::nullopt : truth(*known);
}

std::vector<Output> smart_cond(const Input& pred, const BranchFn& true_fn, const BranchFn& false_fn,
                               const CondOptions& options, std::source_location at) {
  const std::optional<bool> known = smart_constant_value(pred);
  if (!known) return cond(pred, true_fn, false_fn, options, at);
  return *known ? true_fn() : false_fn();
}

Node& group(const Dependencies& nodes, const std::string& name, std::source_location at) {
  Scope scope = here(at);
  return group(scope, std::span(nodes), name);
}

std::vector<Output> tuple(Scope& scope, const std::vector<Output>& tensors,
                          const std::vector<Node*>& control_inputs, std::string_view name) {
  Scope inner = scope.named(name);
  std::vector<Node*> all;
  for (const Output& tensor : tensors) all.push_back(tensor.node);
  all.insert(all.end(), control_inputs.begin(), control_inputs.end());
  require(!all.empty(), "Must have at least one Tensor in `tensors`");
  std::ranges::sort(all, {}, &Node::id);
  all.erase(std::ranges::unique(all).begin(), all.end());
  Node& gate = group(inner, std::span<Node* const>(all));
  std::vector<Output> results;
  for (const Output& tensor : tensors) results.push_back(with_dependency(inner, gate, tensor));
  return results;
}

std::vector<Output> tuple(const std::vector<Output>& tensors, const Dependencies& control_inputs,
                          const std::string& name, std::source_location at) {
  Scope scope = here(at);
  return tuple(scope, tensors, control_inputs, name);
}

}  // namespace rill
