#include "rill/api/train/optimizers.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/state.h"

namespace rill::train {

Node& OneOpOptimizer::apply_dense(Output grad, const Variable& var) {
  return apply({var, grad, {}});
}
Node& OneOpOptimizer::resource_apply_dense(Output grad, const Variable& var) {
  return apply({var, grad, {}});
}
Node& OneOpOptimizer::apply_sparse(const IndexedSlices& grad, const Variable& var) {
  return apply({var, grad.values, grad.indices});
}
Node& OneOpOptimizer::resource_apply_sparse(Output grad, const Variable& var, Output indices) {
  return apply({var, grad, indices});
}

Node& OneOpOptimizer::add_op(std::string_view op, const Change& change,
                             const std::vector<Part>& parts, AttrMap attrs) {
  std::vector<InputArg> inputs{change.var.handle()};
  for (const Part& part : parts) {
    if (const auto* input = std::get_if<Input>(&part)) {
      inputs.emplace_back(*input);
    } else if (const auto* variable = std::get_if<Variable>(&part)) {
      inputs.emplace_back(variable->handle());
    } else {
      inputs.emplace_back(change.grad);
      if (change.indices.node) inputs.emplace_back(change.indices);
    }
  }
  attrs.emplace("use_locking", use_locking_);
  const std::string type = str_cat(change.var.is_resource() ? "Resource" : "",
                                   change.indices.node ? "Sparse" : "", "Apply", op);
  return current_scope().add(type, std::move(inputs), std::move(attrs));
}

// --- gradient descent ----------------------------------------------------------------------------

GradientDescentOptimizer::GradientDescentOptimizer(HyperParameter rate,
                                                   const OptimizerOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "GradientDescent")),
      learning_rate(std::move(rate), "learning_rate") {}

Node& GradientDescentOptimizer::apply(const Change& change) {
  return add_op("GradientDescent", change, {learning_rate.as(change.var.dtype()), Grad()});
}

Node& GradientDescentOptimizer::apply_sparse_duplicate_indices(const IndexedSlices& grad,
                                                               const Variable& var) {
  const Output delta = mul(grad.values, learning_rate.as(var.dtype()));
  return write_of(var, var.scatter("Sub", grad.indices, delta, {.use_locking = use_locking_}));
}

Node& GradientDescentOptimizer::resource_apply_sparse_duplicate_indices(Output grad,
                                                                        const Variable& var,
                                                                        Output indices) {
  const Output delta = mul(raw::Neg(grad), learning_rate.as(base_type(grad.dtype())));
  return raw::ResourceScatterAdd(var.handle(), indices, delta);
}

// --- momentum ------------------------------------------------------------------------------------

MomentumOptimizer::MomentumOptimizer(HyperParameter rate, HyperParameter how_much,
                                     const MomentumOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "Momentum")),
      learning_rate(std::move(rate), "learning_rate"),
      momentum(std::move(how_much), "momentum"),
      use_nesterov(options.use_nesterov) {}

void MomentumOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) zeros_slot(var, "momentum", name_);
}

void MomentumOptimizer::prepare() {
  learning_rate.prepare();
  momentum.prepare();
}

Node& MomentumOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  const Output rate = learning_rate.as(dtype), how_much = momentum.as(dtype);
  return add_op("Momentum", change, {slot(change.var, "momentum"), rate, Grad(), how_much},
                {{"use_nesterov", use_nesterov}});
}

// --- Adadelta ------------------------------------------------------------------------------------

AdadeltaOptimizer::AdadeltaOptimizer(HyperParameter rate, const AdadeltaOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "Adadelta")),
      learning_rate(std::move(rate), "lr"),
      rho(options.rho, "rho"),
      epsilon(options.epsilon, "epsilon") {}

void AdadeltaOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) {
    zeros_slot(var, "accum", name_);
    zeros_slot(var, "accum_update", name_);
  }
}

void AdadeltaOptimizer::prepare() {
  learning_rate.prepare();
  rho.prepare();
  epsilon.prepare();
}

Node& AdadeltaOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  const Output rate = learning_rate.as(dtype), decay = rho.as(dtype), small = epsilon.as(dtype);
  return add_op(
      "Adadelta", change,
      {slot(change.var, "accum"), slot(change.var, "accum_update"), rate, decay, small, Grad()});
}

// --- RMSProp -------------------------------------------------------------------------------------

RMSPropOptimizer::RMSPropOptimizer(HyperParameter rate, const RMSPropOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "RMSProp")),
      learning_rate(std::move(rate), "learning_rate"),
      decay(options.decay, "decay"),
      momentum(options.momentum, "momentum"),
      epsilon(options.epsilon, "epsilon"),
      centered(options.centered) {}

void RMSPropOptimizer::create_slots(const std::vector<Variable>& var_list) {
  for (const Variable& var : var_list) {
    get_or_make_slot_with_initializer(var, ones_initializer(), var.shape(), var.dtype(), "rms",
                                      name_);
    if (centered) zeros_slot(var, "mg", name_);
    zeros_slot(var, "momentum", name_);
  }
}

void RMSPropOptimizer::prepare() {
  learning_rate.prepare();
  decay.prepare();
  momentum.prepare();
  epsilon.prepare();
}

Node& RMSPropOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  const Output rate = learning_rate.as(dtype), rho = decay.as(dtype);
  const Output how_much = momentum.as(dtype), small = epsilon.as(dtype);
  const Variable squares = slot(change.var, "rms"), steps = slot(change.var, "momentum");
  if (!centered)
    return add_op("RMSProp", change, {squares, steps, rate, rho, how_much, small, Grad()});
  return add_op("CenteredRMSProp", change,
                {slot(change.var, "mg"), squares, steps, rate, rho, how_much, small, Grad()});
}

// --- proximal ------------------------------------------------------------------------------------

ProximalGradientDescentOptimizer::ProximalGradientDescentOptimizer(HyperParameter rate,
                                                                   const ProximalOptions& options)
    : OneOpOptimizer(options.use_locking, name_or(options.name, "ProximalGradientDescent")),
      learning_rate(std::move(rate), "learning_rate"),
      l1(options.l1_regularization_strength, "l1_regularization_strength"),
      l2(options.l2_regularization_strength, "l2_regularization_strength") {}

void ProximalGradientDescentOptimizer::prepare() {
  learning_rate.prepare();
  l1.prepare();
  l2.prepare();
}

Node& ProximalGradientDescentOptimizer::apply(const Change& change) {
  const DType dtype = change.var.dtype();
  const Output rate = learning_rate.as(dtype), first = l1.as(dtype), second = l2.as(dtype);
  return add_op("ProximalGradientDescent", change, {rate, first, second, Grad()});
}

}  // namespace rill::train
