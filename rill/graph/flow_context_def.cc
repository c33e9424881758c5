#include "rill/graph/flow_context_def.h"

#include <algorithm>
#include <set>

#include "rill/base/error.h"
#include "tensorflow/core/protobuf/control_flow.pb.h"

namespace rill {
namespace {

// --- names, with and without a scope ------------------------------------------------------------

std::string without_scope(const std::string& name, std::string_view scope) {
  const std::string prefix = scope.empty() ? "" : str_cat(scope, "/");
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::string with_scope(const std::string& name, std::string_view scope) {
  return scope.empty() ? name : str_cat(scope, "/", name);
}

std::string optional_name(Output output, std::string_view scope) {
  return output.node ? without_scope(output.name(), scope) : "";
}

// --- writing ------------------------------------------------------------------------------------

void export_values(const FlowContext& context, tensorflow::ValuesDef* def, std::string_view scope) {
  std::set<std::string> names;
  for (const Output& value : context.values()) names.insert(without_scope(value.name(), scope));
  for (const std::string& name : names) def->add_values(name);
  for (const auto& [value, inside] : context.stand_ins())
    (*def->mutable_external_values())[without_scope(value.name(), scope)] =
        without_scope(inside.name(), scope);
}

template <class Def>
void export_nested(const FlowContext& context, Def* def, std::string_view scope) {
  for (const FlowContext* inner : context.graph().flows()) {
    if (inner->outer() != &context) continue;
    tensorflow::ControlFlowContextDef* nested = def->add_nested_contexts();
    if (inner->is_loop()) {
      export_flow(static_cast<const LoopContext&>(*inner), nested->mutable_while_ctxt(), scope);
    } else {
      export_flow(static_cast<const CondContext&>(*inner), nested->mutable_cond_ctxt(), scope);
    }
  }
}

// --- reading ------------------------------------------------------------------------------------

Output tensor_named(const Graph& graph, const std::string& name, std::string_view scope) {
  return name.empty() ? Output() : graph.tensor(with_scope(name, scope));
}

// Of the values, those that nothing outside stands for were made here.
void import_values(FlowContext& context, const tensorflow::ValuesDef& def, std::string_view scope) {
  Graph& graph = context.graph();
  for (const auto& [value, inside] : def.external_values())
    context.add_stand_in(tensor_named(graph, value, scope), tensor_named(graph, inside, scope));
  for (const std::string& name : def.values()) {
    const Output value = tensor_named(graph, name, scope);
    if (!value.node) continue;
    context.know(value);
    if (!def.external_values().contains(name)) graph.set_flow(*value.node, &context);
  }
}

template <class Def>
void import_nested(FlowContext& context, const Def& def, std::string_view scope) {
  for (const tensorflow::ControlFlowContextDef& nested : def.nested_contexts()) {
    if (nested.has_while_ctxt()) import_flow(context.graph(), nested.while_ctxt(), scope, &context);
    if (nested.has_cond_ctxt()) import_flow(context.graph(), nested.cond_ctxt(), scope, &context);
  }
}

}  // namespace

void export_flow(const CondContext& context, tensorflow::CondContextDef* def,
                 std::string_view scope) {
  def->set_context_name(without_scope(context.name(), scope));
  def->set_pred_name(optional_name(context.pred(), scope));
  def->set_pivot_name(optional_name(context.pivot(), scope));
  def->set_branch(context.branch());
  export_values(context, def->mutable_values_def(), scope);
  export_nested(context, def, scope);
}

void export_flow(const LoopContext& context, tensorflow::WhileContextDef* def,
                 std::string_view scope) {
  def->set_context_name(without_scope(context.name(), scope));
  def->set_parallel_iterations(context.options.parallel_iterations);
  def->set_back_prop(context.options.back_prop);
  def->set_swap_memory(context.options.swap_memory);
  def->set_maximum_iterations_name(optional_name(context.maximum_iterations, scope));
  def->set_pivot_name(optional_name(context.loop_cond, scope));
  def->set_pivot_for_pred_name(optional_name(context.pred_pivot, scope));
  def->set_pivot_for_body_name(optional_name(context.body_pivot, scope));
  for (const Output& exit : context.exits) def->add_loop_exit_names(optional_name(exit, scope));
  for (const Output& enter : context.enters) def->add_loop_enter_names(optional_name(enter, scope));
  export_values(context, def->mutable_values_def(), scope);
  export_nested(context, def, scope);
}

CondContext& import_flow(Graph& graph, const tensorflow::CondContextDef& def,
                         std::string_view scope, FlowContext* outer) {
  require(def.branch() == 0 || def.branch() == 1, "branch ", def.branch(), " of the cond context '",
          def.context_name(), "' is neither 0 nor 1");
  const Output pred = graph.tensor(with_scope(def.pred_name(), scope));
  const Output pivot = graph.tensor(with_scope(def.pivot_name(), scope));
  CondContext& context = CondContext::create(graph, with_scope(def.context_name(), scope), outer,
                                             pred, pivot, def.branch());
  import_values(context, def.values_def(), scope);
  import_nested(context, def, scope);
  return context;
}

LoopContext& import_flow(Graph& graph, const tensorflow::WhileContextDef& def,
                         std::string_view scope, FlowContext* outer) {
  const LoopOptions options{def.parallel_iterations(), def.back_prop(), def.swap_memory()};
  LoopContext& context =
      LoopContext::create(graph, with_scope(def.context_name(), scope), outer, options);
  context.maximum_iterations = tensor_named(graph, def.maximum_iterations_name(), scope);
  context.loop_cond = tensor_named(graph, def.pivot_name(), scope);
  context.pred_pivot = tensor_named(graph, def.pivot_for_pred_name(), scope);
  context.body_pivot = tensor_named(graph, def.pivot_for_body_name(), scope);
  for (const std::string& name : def.loop_exit_names())
    context.exits.push_back(graph.tensor(with_scope(name, scope)));
  for (const std::string& name : def.loop_enter_names())
    context.enters.push_back(graph.tensor(with_scope(name, scope)));
  import_values(context, def.values_def(), scope);
  import_nested(context, def, scope);
  return context;
}

}  // namespace rill
