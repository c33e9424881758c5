#include "rill/api/variables/variable_lists.h"

#include "rill/api/array/picking.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/variables/variable_creation.h"

namespace rill {
namespace {

std::vector<Variable> collected(const char* name, std::string_view scope) {
  std::vector<Variable> variables;
  for (auto& state : collections_of(*default_graph()).collected<VariableState>(name, scope))
    variables.emplace_back(std::move(state));
  return variables;
}

std::vector<Input> as_inputs(const std::vector<Output>& outputs) {
  return {outputs.begin(), outputs.end()};
}

}  // namespace

std::vector<Variable> global_variables(std::string_view scope) {
  return collected(GraphKeys::GLOBAL_VARIABLES, scope);
}
std::vector<Variable> local_variables(std::string_view scope) {
  return collected(GraphKeys::LOCAL_VARIABLES, scope);
}
std::vector<Variable> trainable_variables(std::string_view scope) {
  return collected(GraphKeys::TRAINABLE_VARIABLES, scope);
}
std::vector<Variable> model_variables(std::string_view scope) {
  return collected(GraphKeys::MODEL_VARIABLES, scope);
}
std::vector<Variable> moving_average_variables(std::string_view scope) {
  return collected(GraphKeys::MOVING_AVERAGE_VARIABLES, scope);
}

Node& variables_initializer(const std::vector<Variable>& variables, const std::string& name,
                            std::source_location at) {
  std::vector<Node*> initializers;
  for (const Variable& variable : variables) initializers.push_back(&variable.initializer());
  if (initializers.empty()) return no_op({.name = name}, at);
  return group(initializers, name, at);
}

Node& global_variables_initializer(std::source_location at) {
  return variables_initializer(global_variables(), "init", at);
}
Node& local_variables_initializer(std::source_location at) {
  return variables_initializer(local_variables(), "init", at);
}

Output report_uninitialized_variables(const std::vector<Variable>& variables,
                                      const std::string& name, std::source_location at) {
  const Block in(name, name, at);
  std::vector<Output> has_value;
  Tensor names(DType::string, {static_cast<std::int64_t>(variables.size())});
  for (const Variable& variable : variables) {
    names.data<std::string>()[has_value.size()] = variable.op().name();
    has_value.push_back(variable.is_initialized());
  }
  const DeviceScope on_cpu("/cpu:0");
  if (variables.empty()) return current_scope().constant(std::move(names));
  const Output missing = raw::LogicalNot(raw::Pack(as_inputs(has_value), {.name = "stack"}));
  return boolean_mask(current_scope().constant(std::move(names)), missing);
}

Output assert_variables_initialized(const std::vector<Variable>& variables,
                                    std::source_location at) {
  const InScope place(here(at));
  std::vector<Output> ranks;
  for (const Variable& variable : variables) {
    const ColocateWith beside(variable.op());
    ranks.push_back(raw::Rank(variable));
  }
  if (ranks.size() == 1) return ranks[0];
  return raw::Pack(as_inputs(ranks), {.name = "stack"});
}

}  // namespace rill
