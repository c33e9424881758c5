#include "rill/api/train/contrib_optimizers.h"

#include <algorithm>
#include <cmath>

#include "rill/api/array/picking.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/global_step.h"

namespace rill::contrib::opt {

using train::add;
using train::mul;
using train::name_or;
using train::sub;
using train::truediv;

// --- signs ---------------------------------------------------------------------------------------

SignOptimizer::SignOptimizer(HyperParameter rate, const SignOptimizerOptions& options,
                             const char* name)
    : OneOpOptimizer(options.use_locking, name_or(options.name, name)),
      learning_rate(std::move(rate), "learning_rate"),
      beta(options.beta, "beta"),
      decay_of_(options.sign_decay_fn) {}

void SignOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) zeros_slot(var, "m", name_);
}

void SignOptimizer::prepare() {
  learning_rate.prepare();
  beta.prepare();
  decay_ = {};
  if (!decay_of_) return;
  const Variable step = step_ ? step_ : train::get_global_step();
  require(bool(step),
          "sign_decay_fn needs a global step: create one, or give it to "
          "apply_gradients()");
  decay_ = decay_of_(step.value());
}

Node& SignOptimizer::apply_gradients(const std::vector<train::GradientAndVariable>& items,
                                     const train::ApplyGradientsOptions& options,
                                     std::source_location at) {
  step_ = options.global_step;
  return OneOpOptimizer::apply_gradients(items, options, at);
}

Output SignOptimizer::sign_decay(DType dtype) const {
  if (decay_.node) return train::cast_in_block(decay_, dtype);
  return constant(1.0, {.dtype = dtype, .name = "sign_decay"});
}

AddSignOptimizer::AddSignOptimizer(HyperParameter rate, HyperParameter how_much,
                                   const SignOptimizerOptions& options)
    : SignOptimizer(std::move(rate), options, "AddSignOptimizer"),
      alpha(std::move(how_much), "alpha") {}

void AddSignOptimizer::prepare() {
  SignOptimizer::prepare();
  alpha.prepare();
}

Node& AddSignOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  require(!change.indices.node, "AddSign does not take sparse gradients");
  return add_op("AddSign", change,
                {slot(change.var, "m"), learning_rate.as(dtype), alpha.as(dtype), sign_decay(dtype),
                 beta.as(dtype), Grad()});
}

PowerSignOptimizer::PowerSignOptimizer(HyperParameter rate, double base,
                                       const SignOptimizerOptions& options)
    : SignOptimizer(std::move(rate), options, "PowerSignOptimizer"),
      logbase(std::log(base), "logbase") {
  require(base > 0, "base must be positive: ", base);
}

void PowerSignOptimizer::prepare() {
  SignOptimizer::prepare();
  logbase.prepare();
}

Node& PowerSignOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  require(!change.indices.node, "PowerSign does not take sparse gradients");
  return add_op("PowerSign", change,
                {slot(change.var, "m"), learning_rate.as(dtype), logbase.as(dtype),
                 sign_decay(dtype), beta.as(dtype), Grad()});
}

// --- AdaMax --------------------------------------------------------------------------------------

AdaMaxOptimizer::AdaMaxOptimizer(HyperParameter rate, const train::AdamOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "AdaMax")),
      learning_rate(std::move(rate), "learning_rate"),
      beta1(options.beta1, "beta1"),
      beta2(options.beta2, "beta2"),
      epsilon(options.epsilon, "epsilon") {}

Variable AdaMaxOptimizer::power() const {
  return get_non_slot_variable("beta1_power", *default_graph());
}

void AdaMaxOptimizer::create_slots(const std::vector<Variable>& var_list) {
  const auto first = std::ranges::min_element(
      var_list, {}, [](const Variable& variable) { return variable.name(); });
  create_non_slot_variable(beta1.given.value(), "beta1_power", *first);
  for (const Variable& var : var_list) {
    zeros_slot(var, "m", name_);
    zeros_slot(var, "v", name_);
  }
}

void AdaMaxOptimizer::prepare() {
  for (Hyper* hyper : {&learning_rate, &beta1, &beta2, &epsilon}) hyper->prepare();
}

Node& AdaMaxOptimizer::apply(const Change& change) {
  if (change.indices.node) return apply_rows(change);
  const DType dtype = change.var.dtype();
  return add_op(
      "AdaMax", change,
      {slot(change.var, "m"), slot(change.var, "v"), train::cast_in_block(power(), dtype),
       learning_rate.as(dtype), beta1.as(dtype), beta2.as(dtype), epsilon.as(dtype), Grad()});
}

Node& AdaMaxOptimizer::apply_rows(const Change& change) {
  const DType dtype = change.var.dtype();
  const Variable m = slot(change.var, "m"), v = slot(change.var, "v");
  const AssignOptions how{.use_locking = use_locking_};
  const auto rows = [&](const Variable& of) { return gather(of, change.indices); };
  const Output mean = add(mul(rows(m), beta1.as(dtype)), mul(change.grad, sub(1, beta1.as(dtype))));
  const Output largest = raw::Maximum(mul(rows(v), beta2.as(dtype)), raw::Abs(change.grad));
  const Output stored_m = m.scatter("Update", change.indices, mean, how);
  const Output stored_v = v.scatter("Update", change.indices, largest, how);
  const Output rate =
      truediv(learning_rate.as(dtype), sub(1, as_tensor(train::cast_in_block(power(), dtype))));
  const Output step = mul(rate, truediv(mean, add(largest, epsilon.as(dtype))));
  const Output changed = change.var.scatter("Sub", change.indices, step, how);
  return train::group_all({&train::write_of(change.var, changed), &train::write_of(m, stored_m),
                           &train::write_of(v, stored_v)});
}

Node& AdaMaxOptimizer::finish(const std::vector<Node*>& update_ops, const std::string& name_scope) {
  std::vector<Node*> all = update_ops;
  {
    const ControlDependencies after(update_ops);
    const Variable grown = power();
    const ColocateWith beside(grown.op());
    const Output next = mul(grown.value(), beta1.tensor);
    all.push_back(&train::write_of(grown, grown.assign(next, {.use_locking = use_locking_})));
  }
  return train::group_all(all, name_scope);
}

// --- layer by layer ------------------------------------------------------------------------------

LARSOptimizer::LARSOptimizer(HyperParameter rate, const LARSOptions& options)
    : OneOpOptimizer(false, name_or(options.name, "LARSOptimizer")),
      learning_rate(std::move(rate), "learning_rate"),
      momentum(options.momentum, "momentum"),
      options_(options) {}

void LARSOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) zeros_slot(var, "momentum", name_);
}

void LARSOptimizer::prepare() {
  learning_rate.prepare();
  momentum.prepare();
}

bool LARSOptimizer::skips(const Variable& var) const {
  return std::ranges::any_of(options_.skip_list, [&](const std::string& part) {
    return var.name().find(part) != std::string::npos;
  });
}

Output LARSOptimizer::compute_lr(Output grad, const Variable& var) const {
  const DType dtype = var.dtype();
  const auto number = [&](double value) { return constant(value, {.dtype = dtype}); };
  const auto norm = [](const Input& x) {
    const Output all = as_tensor(x);
    return raw::Sqrt(raw::Sum(raw::Square(all), raw::Range(0, raw::Rank(all), 1)));
  };
  const Output weights = norm(var.value()), slopes = norm(grad);
  const Output below =
      add(add(slopes, mul(number(options_.weight_decay), weights)), number(options_.epsilon));
  const Output trust = truediv(mul(number(options_.eeta), weights), below);
  const Output zero = number(0), one = number(1);
  const Output ratio =
      where(raw::Greater(weights, zero), where(raw::Greater(slopes, zero), trust, one), one);
  return mul(learning_rate.as(dtype), ratio);
}

Node& LARSOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  require(!change.indices.node, "LARS does not take sparse gradients");
  Change scaled = change;  // by the rate of the step, before momentum adds it up
  Output rate = learning_rate.as(dtype);
  if (!skips(change.var)) {
    rate = compute_lr(change.grad, change.var);
    scaled.grad = add(change.grad,
                      mul(constant(options_.weight_decay, {.dtype = dtype}), change.var.value()));
  }
  scaled.grad = mul(scaled.grad, rate);
  return add_op(
      "Momentum", scaled,
      {slot(change.var, "momentum"), constant(1.0, {.dtype = dtype}), Grad(), momentum.as(dtype)},
      {{"use_nesterov", options_.use_nesterov}});
}

// --- Adagrad that may rest -----------------------------------------------------------------------

RegAdagradOptimizer::RegAdagradOptimizer(HyperParameter rate, train::AdagradOptions options)
    : AdagradOptimizer(std::move(rate), [&] {
        options.name = name_or(options.name, "RegAdagrad");
        return options;
      }()) {}

Node& RegAdagradOptimizer::apply(const Change& change) {
  const Output rate = learning_rate.as(change.var.dtype());
  return add_op("Adagrad", change, {slot(change.var, "accumulator"), rate, Grad()},
                {{"update_slots", updates_slots_}});
}

// --- around another optimizer --------------------------------------------------------------------

VariableClippingOptimizer::VariableClippingOptimizer(
    std::shared_ptr<train::Optimizer> opt,
    std::vector<std::pair<Variable, std::vector<std::int64_t>>> vars_to_clip_dims, double max_norm,
    const VariableClippingOptions& options)
    : Optimizer(options.use_locking, name_or(options.name, "VariableClipping")),
      optimizer_(std::move(opt)),
      clipped_(std::move(vars_to_clip_dims)),
      max_norm_(max_norm) {
  for (const auto& [var, dims] : clipped_)
    require(!dims.empty() && dims.size() < 2 + static_cast<std::size_t>(var.shape().rank()),
            "no dimensions to clip ", var.name(), " over");
}

std::vector<train::GradientAndVariable> VariableClippingOptimizer::compute_gradients(
    Output loss, const train::ComputeGradientsOptions& options, std::source_location at) {
  return optimizer_->compute_gradients(std::move(loss), options, at);
}

Variable VariableClippingOptimizer::get_slot(const Variable& var, const std::string& name) const {
  return optimizer_->get_slot(var, name);
}

std::vector<std::string> VariableClippingOptimizer::get_slot_names() const {
  return optimizer_->get_slot_names();
}

Node& VariableClippingOptimizer::apply_gradients(
    const std::vector<train::GradientAndVariable>& items,
    const train::ApplyGradientsOptions& options, std::source_location at) {
  const Block in(options.name, name_, at);
  Node* const updated = &optimizer_->apply_gradients(
      items, {.global_step = options.global_step, .name = "apply"}, at);
  std::vector<Node*> all;
  const ControlDependencies after(std::span(&updated, 1));
  for (const auto& [var, dims] : clipped_) {
    const bool changes = std::ranges::any_of(
        items, [&](const train::GradientAndVariable& item) { return item.variable == var; });
    if (!changes) continue;
    const Output small =
        clip_by_norm(Input(var.value()), static_cast<float>(max_norm_), {.axes = Input(dims)});
    all.push_back(&train::write_of(var, var.assign(small, {.use_locking = use_locking_})));
  }
  all.push_back(updated);
  return train::group_all(all);
}

std::vector<train::GradientAndVariable> clip_gradients_by_global_norm(
    const std::vector<train::GradientAndVariable>& gradients_variables, const Input& clip_norm) {
  std::vector<Gradient> gradients;
  for (const auto& item : gradients_variables) gradients.push_back(item.gradient);
  const auto [clipped, norm] = clip_by_global_norm(gradients, clip_norm);
  std::vector<train::GradientAndVariable> all = gradients_variables;
  for (std::size_t i = 0; i < all.size(); ++i) all[i].gradient = clipped[i];
  return all;
}

}  // namespace rill::contrib::opt
