#include <algorithm>

#include "rill/api/core/control_flow.h"
#include "rill/api/gen/math.h"
#include "rill/api/train/moving_averages.h"
#include "rill/api/train/parts.h"
#include "rill/api/train/slots.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::train {
namespace {

using Averaged = ExponentialMovingAverage::Averaged;

const Variable* as_variable(const Averaged& x) { return std::get_if<Variable>(&x); }

Node& node_of(const Averaged& x) {
  if (const Variable* v = as_variable(x)) return v->op();
  return *std::get<Output>(x).node;
}

std::string name_of(const Averaged& x) {
  if (const Variable* v = as_variable(x)) return v->name();
  return std::get<Output>(x).name();
}

DType dtype_of(const Averaged& x) {
  if (const Variable* v = as_variable(x)) return v->dtype();
  return base_type(std::get<Output>(x).dtype());
}

std::vector<Averaged> averaged_by_default() {
  std::vector<Averaged> all;
  for (const auto& list : {trainable_variables(), moving_average_variables()})
    for (const Variable& variable : list)
      if (std::ranges::find(all, Averaged(variable)) == all.end()) all.emplace_back(variable);
  return all;
}

}  // namespace

Node& ExponentialMovingAverage::apply(std::initializer_list<Averaged> var_list,
                                      std::source_location at) {
  return apply(std::vector<Averaged>(var_list), at);
}

Node& ExponentialMovingAverage::apply(const std::vector<Variable>& var_list,
                                      std::source_location at) {
  return apply(std::vector<Averaged>(var_list.begin(), var_list.end()), at);
}

ExponentialMovingAverage::ExponentialMovingAverage(Input decay,
                                                   const ExponentialMovingAverageOptions& options)
    : decay_(std::move(decay)), options_(options) {}

ExponentialMovingAverage::Key ExponentialMovingAverage::key_of(const Averaged& var) {
  const Output* tensor = std::get_if<Output>(&var);
  return {&node_of(var), tensor != nullptr ? tensor->index : 0};
}

void ExponentialMovingAverage::make_average(const Averaged& var) {
  const DType dtype = dtype_of(var);
  require_type(kFloatTypes.contains(dtype),
               "The variables must be half, float, or double: ", name_of(var));
  const OutsideFlow outside;
  if (const Variable* variable = as_variable(var)) {
    const Variable average = create_slot(*variable, variable->initialized_value(), options_.name);
    add_to_collection(GraphKeys::MOVING_AVERAGE_VARIABLES, variable->state());
    kept_[key_of(var)] = {var, average, false};
    return;
  }
  const bool beside = node_of(var).op().has(kVariable);
  const Variable average = create_zeros_slot(std::get<Output>(var), options_.name, DType::invalid,
                                             {.colocate_with_primary = beside});
  kept_[key_of(var)] = {var, average, options_.zero_debias};
}

Output ExponentialMovingAverage::current_decay() const {
  const Output decay = as_tensor(decay_, "decay");
  if (!options_.num_updates) return decay;
  const Output updates = cast_in_block(*options_.num_updates, DType::f32, "num_updates");
  const Output numerator = add(1.0, updates);
  const Output quotient = truediv(numerator, add(10.0, updates));
  return raw::Minimum(decay, quotient);
}

Node& ExponentialMovingAverage::apply(const std::optional<std::vector<Averaged>>& var_list,
                                      std::source_location at) {
  const InScope made(here(at));
  const std::vector<Averaged> all = var_list ? *var_list : averaged_by_default();
  for (const Averaged& var : all)
    if (!kept_.contains(key_of(var))) make_average(var);
  const Block in(options_.name, "ExponentialMovingAverage", at);
  const Output decay = current_decay();
  std::vector<Node*> updates;
  for (const Averaged& var : all) {
    const Kept& kept = kept_.at(key_of(var));
    const Input value = as_variable(var) ? Input(*as_variable(var)) : Input(std::get<Output>(var));
    const Output moved =
        assign_moving_average(kept.average, value, decay, {.zero_debias = kept.zero_debias});
    updates.push_back(&write_of(kept.average, moved));
  }
  return group_all(updates, in.own_name());
}

Variable ExponentialMovingAverage::average(const Averaged& var) const {
  const auto found = kept_.find(key_of(var));
  return found == kept_.end() ? Variable() : found->second.average;
}

std::string ExponentialMovingAverage::average_name(const Averaged& var) const {
  if (const Variable known = average(var)) return known.op().name();
  return default_graph()->unique_name(str_cat(node_of(var).name(), "/", options_.name), false);
}

std::map<std::string, Variable> ExponentialMovingAverage::variables_to_restore(
    const std::optional<std::vector<Variable>>& moving_avg_variables) const {
  std::map<std::string, Variable> names;
  std::vector<Variable> averaged;
  if (moving_avg_variables) {
    averaged = *moving_avg_variables;
  } else {
    averaged = trainable_variables();
    for (const Variable& v : moving_average_variables()) averaged.push_back(v);
  }
  for (const Variable& v : averaged) names[average_name(v)] = v;
  for (const Variable& v : global_variables()) {
    const bool is_averaged = std::ranges::any_of(
        averaged, [&](const Variable& a) { return a.op().name() == v.op().name(); });
    if (!is_averaged && !names.contains(v.op().name())) names[v.op().name()] = v;
  }
  return names;
}

}  // namespace rill::train
