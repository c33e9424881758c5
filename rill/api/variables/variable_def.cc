#include "rill/api/variables/variable_def.h"

#include "rill/api/core/scoped_names.h"
#include "rill/base/text.h"

namespace rill {
namespace {

void add_slice(const SaveSliceInfo& slice, std::string_view scope,
               tensorflow::SaveSliceInfoDef* def) {
  def->set_full_name(without_scope(slice.full_name, scope));
  for (const std::int64_t size : slice.full_shape) def->add_full_shape(size);
  for (const std::int64_t offset : slice.var_offset) def->add_var_offset(offset);
  for (const std::int64_t size : slice.var_shape) def->add_var_shape(size);
}

SaveSliceInfo slice_of(const tensorflow::SaveSliceInfoDef& def, std::string_view scope) {
  return {with_scope(def.full_name(), scope),
          {def.full_shape().begin(), def.full_shape().end()},
          {def.var_offset().begin(), def.var_offset().end()},
          {def.var_shape().begin(), def.var_shape().end()}};
}

}  // namespace

std::string SaveSliceInfo::spec() const {
  std::string text;
  for (const std::int64_t size : full_shape) text += str_cat(size, " ");
  for (std::size_t i = 0; i < var_offset.size(); ++i)
    text += str_cat(i == 0 ? "" : ":", var_offset[i], ",", var_shape.at(i));
  return text;
}

std::optional<tensorflow::VariableDef> to_variable_def(const Variable& variable,
                                                       std::string_view export_scope) {
  if (!export_scope.empty() && !std::string_view(variable.name()).starts_with(export_scope))
    return {};
  tensorflow::VariableDef def;
  const auto name = [&](const std::string& full) { return without_scope(full, export_scope); };
  def.set_variable_name(name(variable.name()));
  if (variable.initial_value().node)
    def.set_initial_value_name(name(variable.initial_value().name()));
  def.set_trainable(variable.trainable());
  def.set_synchronization(
      static_cast<tensorflow::VariableSynchronization>(variable->synchronization));
  def.set_aggregation(static_cast<tensorflow::VariableAggregation>(variable->aggregation));
  if (variable->initializer != nullptr)
    def.set_initializer_name(name(variable->initializer->name()));
  def.set_snapshot_name(
      name((variable->cached.node ? variable->cached : variable.snapshot()).name()));
  if (variable.is_resource()) def.set_is_resource(true);
  if (variable->save_slice_info)
    add_slice(*variable->save_slice_info, export_scope, def.mutable_save_slice_info_def());
  return def;
}

Variable from_variable_def(const tensorflow::VariableDef& def, std::string_view import_scope) {
  const std::shared_ptr<Graph>& graph = default_graph();
  const auto tensor = [&](const std::string& name) {
    return graph->tensor(with_scope(name, import_scope));
  };
  auto state = std::make_shared<VariableState>();
  state->graph = graph.get();
  state->is_resource = def.is_resource();
  state->handle = tensor(def.variable_name());
  state->name = state->handle.name();
  state->initializer = &graph->at(with_scope(def.initializer_name(), import_scope));
  if (!def.initial_value_name().empty()) state->initial_value = tensor(def.initial_value_name());
  state->snapshot = tensor(def.snapshot_name());
  state->dtype = base_type(state->snapshot.dtype());
  if (state->is_resource && state->snapshot.node->op().name != "ReadVariableOp")
    state->cached = state->snapshot;
  state->trainable = def.trainable();
  state->synchronization = static_cast<VariableSynchronization>(def.synchronization());
  state->aggregation = static_cast<VariableAggregation>(def.aggregation());
  if (def.has_save_slice_info_def())
    state->save_slice_info = slice_of(def.save_slice_info_def(), import_scope);
  return Variable(std::move(state));
}

}  // namespace rill
