#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/train/optimizers.h"
#include "rill/graph/builders.h"

namespace rill::train {
namespace {

// `value` in the shape of `var`, as a constant beside it.
Output filled_like(const Variable& var, double value) {
  return constant(value, {.dtype = var.dtype(), .shape = var.shape().full()});
}

}  // namespace

// --- Adagrad -------------------------------------------------------------------------------------

AdagradOptimizer::AdagradOptimizer(HyperParameter rate, const AdagradOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "Adagrad")),
      learning_rate(std::move(rate), "learning_rate"),
      initial_accumulator_value(options.initial_accumulator_value) {
  require(initial_accumulator_value > 0,
          "initial_accumulator_value must be positive: ", initial_accumulator_value);
}

void AdagradOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) {
    if (var.shape().is_full()) {
      get_or_make_slot_with_initializer(var, constant_initializer(initial_accumulator_value),
                                        var.shape(), var.dtype(), "accumulator", name_);
      continue;
    }
    const Output shape = shape_of(current_scope(), var.value());
    const Output value = constant(initial_accumulator_value, {.dtype = var.dtype()});
    get_or_make_slot(var, raw::Fill(shape, value), "accumulator", name_);
  }
}

Node& AdagradOptimizer::apply(const Change& change) {
  const Output rate = learning_rate.as(change.var.dtype());
  return add_op("Adagrad", change, {slot(change.var, "accumulator"), rate, Grad()});
}

// --- dual averaging ------------------------------------------------------------------------------

AdagradDAOptimizer::AdagradDAOptimizer(HyperParameter rate, Input step,
                                       const AdagradDAOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "AdagradDA")),
      learning_rate(std::move(rate), "learning_rate"),
      global_step(std::move(step)),
      initial_value(options.initial_gradient_squared_accumulator_value),
      l1(options.l1_regularization_strength),
      l2(options.l2_regularization_strength) {
  require(initial_value > 0,
          "initial_gradient_squared_accumulator_value must be positive: ", initial_value);
}

void AdagradDAOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) {
    Output sum, squares;
    {
      const ColocateWith beside(var.op());
      sum = filled_like(var, 0.0);
      squares = filled_like(var, initial_value);
    }
    get_or_make_slot(var, sum, "gradient_accumulator", name_);
    get_or_make_slot(var, squares, "gradient_squared_accumulator", name_);
  }
}

void AdagradDAOptimizer::prepare() {
  learning_rate.prepare();
  // The op counts from one, where the rate is.
  const ColocateWith beside(*learning_rate.tensor.node);
  step_on_worker_ = add(raw::Identity(global_step), 1);
}

Node& AdagradDAOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  require(bool(step_on_worker_.node), "the update of ", change.var.name(), " was not prepared");
  const Output step = raw::Identity(step_on_worker_);
  const Output rate = learning_rate.as(dtype), first = cast_in_block(l1, dtype),
               second = cast_in_block(l2, dtype);
  return add_op(
      "AdagradDA", change,
      {slot(change.var, "gradient_accumulator"), slot(change.var, "gradient_squared_accumulator"),
       Grad(), rate, first, second, step});
}

// --- proximal Adagrad ----------------------------------------------------------------------------

ProximalAdagradOptimizer::ProximalAdagradOptimizer(HyperParameter rate,
                                                   const ProximalAdagradOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "ProximalAdagrad")),
      learning_rate(std::move(rate), "learning_rate"),
      l1(options.l1_regularization_strength, "l1_regularization_strength"),
      l2(options.l2_regularization_strength, "l2_regularization_strength"),
      initial_accumulator_value(options.initial_accumulator_value) {
  require(initial_accumulator_value > 0,
          "initial_accumulator_value must be positive: ", initial_accumulator_value);
}

void ProximalAdagradOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) {
    Output value;
    {
      const ColocateWith beside(var.op());
      value = filled_like(var, initial_accumulator_value);
    }
    get_or_make_slot(var, value, "accumulator", name_);
  }
}

void ProximalAdagradOptimizer::prepare() {
  learning_rate.prepare();
  l1.prepare();
  l2.prepare();
}

Node& ProximalAdagradOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  const Output rate = learning_rate.as(dtype), first = l1.as(dtype), second = l2.as(dtype);
  return add_op("ProximalAdagrad", change,
                {slot(change.var, "accumulator"), rate, first, second, Grad()});
}

// --- Ftrl ----------------------------------------------------------------------------------------

FtrlOptimizer::FtrlOptimizer(HyperParameter rate, const FtrlOptions& how)
    : OneOpOptimizer(how.use_locking, name_or(how.name, "Ftrl")),
      learning_rate(std::move(rate), "learning_rate"),
      learning_rate_power(how.learning_rate_power, "learning_rate_power"),
      l1(how.l1_regularization_strength, "l1_regularization_strength"),
      l2(how.l2_regularization_strength, "l2_regularization_strength"),
      l2_shrinkage(how.l2_shrinkage_regularization_strength,
                   "l2_shrinkage_regularization_strength"),
      options(how) {
  require(how.initial_accumulator_value >= 0, "initial_accumulator_value ",
          how.initial_accumulator_value, " needs to be be positive or zero");
  require(how.l1_regularization_strength >= 0, "l1_regularization_strength ",
          how.l1_regularization_strength, " needs to be positive or zero");
  require(how.l2_regularization_strength >= 0, "l2_regularization_strength ",
          how.l2_regularization_strength, " needs to be positive or zero");
  require(how.l2_shrinkage_regularization_strength >= 0, "l2_shrinkage_regularization_strength ",
          how.l2_shrinkage_regularization_strength, " needs to be positive or zero");
}

void FtrlOptimizer::create_slots(const std::vector<Variable>& var_list) {
  const Initializer initial([this](const Initializer::Request& request) {
    const Output ones = ones_initializer()(request);
    return mul(ones, options.initial_accumulator_value);
  });
  for (const Variable& var : var_list) {
    get_or_make_slot_with_initializer(var, initial, var.shape(), var.dtype(), "accum",
                                      options.accum_name.empty() ? name_ : options.accum_name);
    zeros_slot(var, "linear", options.linear_name.empty() ? name_ : options.linear_name);
  }
}

void FtrlOptimizer::prepare() {
  learning_rate.prepare();
  l1.prepare();
  // beta is a penalty that grows as the rate falls.
  const Output divisor = mul(2.0, raw::Maximum(learning_rate.given.value(), 1e-36));
  l2.tensor = add(options.l2_regularization_strength, truediv(options.beta, divisor));
  as_tensor(options.beta, "beta");
  l2_shrinkage.prepare();
  learning_rate_power.prepare();
}

Node& FtrlOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  const Variable sum = slot(change.var, "accum"), linear = slot(change.var, "linear");
  const Output rate = learning_rate.as(dtype), first = l1.as(dtype), second = l2.as(dtype);
  if (options.l2_shrinkage_regularization_strength <= 0)
    return add_op("Ftrl", change,
                  {sum, linear, Grad(), rate, first, second, learning_rate_power.as(dtype)});
  const Output shrinkage = l2_shrinkage.as(dtype), power = learning_rate_power.as(dtype);
  return add_op("FtrlV2", change, {sum, linear, Grad(), rate, first, second, shrinkage, power});
}

}  // namespace rill::train
