#include "rill/api/core/functional_flow.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

std::vector<Input> as_inputs(std::span<const Output> outputs) {
  return {outputs.begin(), outputs.end()};
}

std::string base_name(const Scope& scope, const char* part) {
  std::string base = scope.name();
  std::ranges::replace(base, '/', '_');
  return base + part;
}

// What is known of a result, whichever branch is taken.
PartialShape common_shape(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return {};
  std::vector<std::int64_t> dims;
  for (int d = 0; d < a.rank(); ++d) dims.push_back(a[d] == b[d] ? a[d] : kUnknownDim);
  return PartialShape(dims);
}

void check_branches(const BuiltBranch& if_true, const BuiltBranch& if_false) {
  require(if_true.results.size() == if_false.results.size(), "true_fn returned ",
          if_true.results.size(), " results and false_fn ", if_false.results.size());
  for (std::size_t i = 0; i < if_true.results.size(); ++i)
    require_type(base_type(if_true.results[i].dtype()) == base_type(if_false.results[i].dtype()),
                 "true_fn and false_fn must return tensors of the same types: result ", i, " is ",
                 if_true.results[i].dtype(), " and ", if_false.results[i].dtype());
}

bool is_at_least_as_known(const PartialShape& shape, const PartialShape& than) {
  if (!than.has_rank()) return true;
  if (!shape.has_rank() || shape.rank() != than.rank()) return false;
  for (int d = 0; d < than.rank(); ++d)
    if (than[d] != kUnknownDim && than[d] != shape[d]) return false;
  return true;
}

void check_body(const FunctionalLoop& loop) {
  const auto& next = loop.body.results;
  require(next.size() == loop.variables.size(), "The body of the loop returned ", next.size(),
          " values for ", loop.variables.size(), " loop variables");
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Output& initial = loop.variables[i];
    require_type(base_type(next[i].dtype()) == base_type(initial.dtype()), "Input tensor '",
                 initial.name(), "' enters the loop with type ", initial.dtype(), ", but has type ",
                 next[i].dtype(), " after one iteration.");
    require(is_at_least_as_known(next[i].shape(), loop.shapes[i]), "Input tensor '", initial.name(),
            "' enters the loop with shape ", initial.shape(), ", but has shape ", next[i].shape(),
            " after one iteration. To allow the shape to vary across iterations, use the "
            "`shape_invariants` argument of tf.while_loop to specify a less-specific shape.");
  }
}

// A tensor that the loop only reads is a variable of it that stays the same.
void add_captured(FunctionalLoop& loop) {
  const BuiltBranch parts[] = {loop.cond, loop.body};
  for (const BuiltBranch& part : parts) capture_results(part);
  const std::vector<Output> captured = unite_captured(parts);
  const std::vector<Output> inside = loop.body.builder->arguments();
  for (std::size_t k = 0; k < captured.size(); ++k) {
    loop.variables.push_back(captured[k]);
    loop.shapes.push_back(captured[k].shape());
    loop.body.results.push_back(inside[inside.size() - captured.size() + k]);
  }
}

}  // namespace

BuiltBranch build_part(Graph& outer,
                       const std::function<std::vector<Output>(FunctionBuilder&)>& build) {
  auto builder = std::make_shared<FunctionBuilder>(outer);
  const AsDefault inside(builder->body());
  std::vector<Output> results = build(*builder);
  return {std::move(builder), std::move(results)};
}

std::vector<Output> unite_captured(std::span<const BuiltBranch> parts) {
  std::vector<Output> all;
  for (const BuiltBranch& part : parts)
    for (const Output& captured : part.builder->captured())
      if (std::ranges::find(all, captured) == all.end()) all.push_back(captured);
  for (const BuiltBranch& part : parts) part.builder->capture_in_order(all);
  return all;
}

void capture_results(const BuiltBranch& part) {
  for (const Output& result : part.results)
    if (&result.node->graph() != part.builder->body().get()) part.builder->capture(result);
}

FuncName define_part(Graph& graph, const BuiltBranch& part, const std::string& name,
                     bool* has_effects) {
  const bool traced = has_functional_flow(*part.builder->body());
  std::vector<Output> results = part.results;
  for (Output& result : results)
    if (&result.node->graph() != part.builder->body().get()) result = part.builder->capture(result);
  Function function = part.builder->finish(
      results, {.base_name = name, .order_effects = true, .describe_arguments = traced});
  *has_effects |= function.signature.has(kStateful);
  FuncName called{.name = function.name()};
  define_with_callees(graph, function, *part.builder->body()->functions());
  if (traced)
    hold_trace(graph, keep_trace(graph.functions(), called.name, {part.builder, results}));
  return called;
}

Node& functional_cond(const Scope& scope, const Input& pred, const BuiltBranch& if_true,
                      const BuiltBranch& if_false) {
  check_branches(if_true, if_false);
  const BuiltBranch parts[] = {if_true, if_false};
  for (const BuiltBranch& part : parts) capture_results(part);
  const std::vector<Output> captured = unite_captured(parts);
  Scope inner = scope;
  bool has_effects = false;
  const FuncName then =
      define_part(inner.graph(), if_true, base_name(scope, "_true"), &has_effects);
  const FuncName otherwise =
      define_part(inner.graph(), if_false, base_name(scope, "_false"), &has_effects);
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < if_true.results.size(); ++i) {
    types.push_back(base_type(if_true.results[i].dtype()));
    shapes.push_back(common_shape(if_true.results[i].shape(), if_false.results[i].shape()));
  }
  return inner.add(has_effects ? "If" : "StatelessIf", {pred, InputArg(as_inputs(captured))},
                   {{"Tout", types},
                    {"then_branch", then},
                    {"else_branch", otherwise},
                    {"output_shapes", shapes}},
                   scope.name() + "/");
}

std::vector<Output> functional_while(const Scope& scope, FunctionalLoop loop) {
  if (loop.shapes.empty())
    for (const Output& variable : loop.variables) loop.shapes.push_back(variable.shape());
  check_body(loop);
  const std::size_t own = loop.variables.size();
  add_captured(loop);
  Scope inner = scope;
  bool has_effects = false;
  const FuncName cond =
      define_part(inner.graph(), loop.cond, base_name(scope, "_cond"), &has_effects);
  const FuncName body =
      define_part(inner.graph(), loop.body, base_name(scope, "_body"), &has_effects);
  Node& node =
      inner.add(has_effects ? "While" : "StatelessWhile", {InputArg(as_inputs(loop.variables))},
                {{"cond", cond},
                 {"body", body},
                 {"output_shapes", loop.shapes},
                 {"parallel_iterations", loop.parallel_iterations}},
                scope.name() + "/");
  std::vector<Output> results;
  for (std::size_t i = 0; i < own; ++i) results.push_back(node.output(static_cast<int>(i)));
  return results;
}

}  // namespace rill
