#include <algorithm>

#include "rill/api/core/outermost_graph.h"
#include "rill/api/train/optimizer.h"
#include "rill/api/train/slots.h"
#include "rill/graph/executed_node.h"

namespace rill::train {
namespace {

// Variables of eager execution may have the same name.
std::pair<const Graph*, std::string> key_of(const Variable& variable) {
  const Variable var = variable.whole().copies().front();
  const std::string& name = var.op().name();
  return {&var.graph(), var.is_eager() ? str_cat(name, "#", executed(var.op()).serial()) : name};
}

}  // namespace

Variable Optimizer::get_slot(const Variable& var, const std::string& name) const {
  const auto named = slots_.find(name);
  if (named == slots_.end()) return {};
  const auto found = named->second.find(key_of(var));
  return found == named->second.end() ? Variable() : found->second;
}

Variable Optimizer::slot(const Variable& var, const std::string& name) const {
  const Variable found = get_slot(var, name);
  require(bool(found), "the optimizer ", name_, " has no slot ", name, " for ", var.name());
  return found;
}

void Optimizer::set_slot(const Variable& var, const std::string& slot_name, const Variable& slot) {
  slots_[slot_name][key_of(var)] = slot;
}

std::vector<std::string> Optimizer::get_slot_names() const {
  std::vector<std::string> names;
  for (const auto& entry : slots_) names.push_back(entry.first);
  return names;
}

std::vector<Variable> Optimizer::non_slot_variables() const {
  std::vector<Variable> found;
  for (const auto& [name, by_graph] : non_slots_)
    for (const auto& [graph, variable] : by_graph) found.push_back(variable);
  return found;
}

std::vector<Variable> Optimizer::variables() const {
  const Graph* graph = default_graph().get();
  std::vector<Variable> found = non_slot_variables();
  for (const auto& [name, by_variable] : slots_)
    for (const auto& [key, variable] : by_variable) found.push_back(variable);
  std::erase_if(found, [&](const Variable& v) { return &v.graph() != graph; });
  std::ranges::sort(found, {}, [](const Variable& v) { return v.name(); });
  return found;
}

Variable Optimizer::zeros_slot(const Variable& var, const std::string& slot_name,
                               const std::string& op_name) {
  if (const Variable known = Optimizer::get_slot(var, slot_name)) return known;
  const Variable made = create_zeros_slot(var, op_name);
  set_slot(var, slot_name, made);
  return made;
}

Variable Optimizer::get_or_make_slot(const Variable& var, const Input& value,
                                     const std::string& slot_name, const std::string& op_name) {
  if (const Variable known = Optimizer::get_slot(var, slot_name)) return known;
  const Variable made = create_slot(var, value, op_name);
  set_slot(var, slot_name, made);
  return made;
}

Variable Optimizer::get_or_make_slot_with_initializer(const Variable& var,
                                                      const Initializer& initializer,
                                                      const PartialShape& shape, DType dtype,
                                                      const std::string& slot_name,
                                                      const std::string& op_name) {
  if (const Variable known = Optimizer::get_slot(var, slot_name)) return known;
  const Variable made = create_slot_with_initializer(var, initializer, shape, dtype, op_name);
  set_slot(var, slot_name, made);
  return made;
}

Variable Optimizer::create_non_slot_variable(const Input& initial_value, const std::string& name,
                                             const Variable& colocate_with) {
  Variable& variable = non_slots_[name][&colocate_with.graph()];
  if (variable) return variable;
  const ColocateWith beside(colocate_with.op());
  variable =
      Variable(initial_value,
               {.trainable = false, .use_resource = colocate_with.is_resource(), .name = name});
  return variable;
}

Variable Optimizer::get_non_slot_variable(const std::string& name, const Graph& graph) const {
  const auto named = non_slots_.find(name);
  if (named == non_slots_.end()) return {};
  const bool in_function = bool(graph.capture);  // whose variables are those of the graph around it
  auto found = named->second.find(in_function ? outermost_graph().get() : &graph);
  // A model of Keras trains in a graph of its own, with variables of eager execution.
  if (found == named->second.end()) found = named->second.find(eager_graph().get());
  return found == named->second.end() ? Variable() : found->second;
}

}  // namespace rill::train
