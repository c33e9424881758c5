#include "rill/api/train/moving_averages.h"

#include <algorithm>

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/train/parts.h"
#include "rill/api/train/slots.h"
#include "rill/api/variables/get_variable.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::train {
namespace {

// variable -= (variable - value) * rate
Output move_towards(const Variable& variable, const Input& value, Output rate,
                    const std::string& name) {
  const Output distance = sub(variable.value(), value);
  return variable.assign_sub(mul(distance, rate), {.name = name});
}

Variable zeros_beside(const Variable& primary, const std::string& name, const PartialShape& shape) {
  GetVariableOptions how;
  how.shape = shape;
  how.dtype = primary.dtype();
  how.initializer = zeros_initializer();
  how.trainable = false;
  const ColocateWith beside(primary.op());
  return get_variable(name, how);
}

// The average of a variable that started at zero, without the weight that zeros have in it. A
// second variable holds the plain average, a third the number of steps.
Output move_unbiased(const Variable& variable, const Input& value, Output rate,
                     const std::string& own_name) {
  Variable biased, local_step;
  {
    const VariableScopeBlock scope(variable.op().name(), {.auxiliary_name_scope = true});
    biased = zeros_beside(variable, "biased", variable.shape());
    local_step = zeros_beside(variable, "local_step", PartialShape::scalar());
  }
  const Output plain = move_towards(biased, value, rate, "AssignSub");
  const Output steps = local_step.assign_add(1, {.name = "AssignAdd"});
  const Output weight_of_zeros = raw::Pow(sub(1, rate), steps);
  const Output unbiased = truediv(plain, sub(1, weight_of_zeros));
  return variable.assign(unbiased, {.use_locking = true, .name = own_name});
}

// 1 - decay: a number stays one.
Output rate_of(const Input& decay, DType dtype) {
  if (decay.is_output()) {
    const Output rate = sub(1.0, decay);
    return base_type(rate.dtype()) == dtype ? rate : cast_in_block(rate, dtype);
  }
  if (!decay.is_value()) return cast_in_block(sub(1.0, decay), dtype);
  const double number = 1.0 - decay.value(DType::f64).scalar_value<double>();
  return as_tensor(Input(number), "decay", dtype);
}

Output value_of(const Variable& variable, const Input& value) {
  return as_tensor(value, "value", variable.dtype());
}

}  // namespace

namespace {

// In a replica: towards the mean of what all replicas bring.
Output move_together(const Variable& variable, const Output& value, const Input& decay,
                     const AssignMovingAverageOptions& options, std::source_location at) {
  return distribute::get_replica_context()->merge_call(
      [&](distribute::StrategyExtended& strategy, const std::vector<Output>& brought) {
        const std::vector<Gradient> means =
            strategy.reduce_to(distribute::ReduceOp::MEAN, {brought.begin(), brought.end()},
                               strategy.devices_of(variable));
        std::vector<Output> moved;
        strategy.update(variable, [&](const Variable& copy, int index) {
          const Output mean = means.at(static_cast<std::size_t>(index)).dense();
          moved.push_back(assign_moving_average(copy, mean, decay, options, at));
        });
        moved.resize(brought.size(), moved.front());
        return moved;
      },
      value);
}

}  // namespace

Output assign_moving_average(const Variable& variable, const Input& value, const Input& decay,
                             const AssignMovingAverageOptions& options, std::source_location at) {
  if (variable.has_copies() && distribute::has_strategy() &&
      !distribute::in_cross_replica_context())
    return move_together(variable, value_of(variable, value), decay, options, at);
  const Block in(options.name, "AssignMovingAvg", at);
  const Output rate = rate_of(decay, variable.dtype());
  if (options.zero_debias)
    return move_unbiased(variable, value_of(variable, value), rate, in.own_name());
  const std::string name = variable.is_resource() ? std::string() : in.own_name();
  return move_towards(variable, value, rate, name);
}

Output weighted_moving_average(const Input& value, const Input& decay, const Input& weight,
                               const WeightedMovingAverageOptions& options,
                               std::source_location at) {
  const auto scope = VariableScopeBlock::with_default_name(
      options.name.empty() ? "WeightedMovingAvg" : options.name, {}, at);
  const auto zeros_of = [&](const char* name, const PartialShape& shape, DType dtype) {
    GetVariableOptions how;
    how.shape = shape;
    how.dtype = dtype;
    how.initializer = zeros_initializer();
    how.trainable = false;
    how.collections = options.collections;
    return get_variable(name, how);
  };
  const Output values = as_tensor(value), weights = as_tensor(weight);
  const Variable total = zeros_of("value_x_weight", values.shape(), base_type(values.dtype()));
  const Variable count = zeros_of("weight", weights.shape(), base_type(weights.dtype()));
  const Output product = mul(values, weights);
  const Output numerator = assign_moving_average(total, product, decay, {.zero_debias = false});
  const Output denominator = assign_moving_average(count, weights, decay, {.zero_debias = false});
  const std::string name = scope->scope()->name;
  if (options.truediv) return raw::RealDiv(numerator, denominator, {.name = name});
  return raw::Div(numerator, denominator, {.name = name});
}

}  // namespace rill::train
