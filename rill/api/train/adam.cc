#include "rill/api/train/adam.h"

#include <algorithm>

#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/state.h"

namespace rill::train {

AdamOptimizer::AdamOptimizer(HyperParameter rate, const AdamOptions& options)
    : Optimizer(options.use_locking, options.name.empty() ? "Adam" : options.name),
      learning_rate(std::move(rate), "learning_rate"),
      beta1(options.beta1, "beta1"),
      beta2(options.beta2, "beta2"),
      epsilon(options.epsilon, "epsilon") {}

std::pair<Variable, Variable> AdamOptimizer::beta_powers() const {
  const Graph& graph = *default_graph();
  return {get_non_slot_variable("beta1_power", graph), get_non_slot_variable("beta2_power", graph)};
}

void AdamOptimizer::create_slots(const std::vector<Variable>& var_list) {
  // The powers go where a variable is that every worker chooses alike.
  const Variable first =
      *std::ranges::min_element(var_list, {}, [](const Variable& v) { return v.name(); });
  create_non_slot_variable(beta1.given.value(), "beta1_power", first);
  create_non_slot_variable(beta2.given.value(), "beta2_power", first);
  for (const Variable& var : var_list) {
    zeros_slot(var, "m", name_);
    zeros_slot(var, "v", name_);
  }
}

void AdamOptimizer::prepare() {
  learning_rate.prepare();
  beta1.prepare();
  beta2.prepare();
  epsilon.prepare();
}

Node& AdamOptimizer::apply_op(const Change& change, bool use_nesterov) {
  const Factors f = factors(change.var.dtype());
  return current_scope().add(
      change.var.is_resource() ? "ResourceApplyAdam" : "ApplyAdam",
      {change.var.handle(), slot(change.var, "m").handle(), slot(change.var, "v").handle(),
       f.beta1_power, f.beta2_power, f.rate, f.beta1, f.beta2, f.epsilon, change.grad},
      {{"use_locking", use_locking_}, {"use_nesterov", use_nesterov}});
}

Node& AdamOptimizer::apply_dense(Output grad, const Variable& var) {
  return apply_op({var, grad, {}}, false);
}
Node& AdamOptimizer::resource_apply_dense(Output grad, const Variable& var) {
  return apply_op({var, grad, {}}, false);
}
Node& AdamOptimizer::apply_sparse(const IndexedSlices& grad, const Variable& var) {
  return apply_rows({var, grad.values, grad.indices});
}
Node& AdamOptimizer::resource_apply_sparse(Output grad, const Variable& var, Output indices) {
  return apply_rows({var, grad, indices});
}

AdamOptimizer::Factors AdamOptimizer::factors(DType dtype) const {
  const auto [power1, power2] = beta_powers();
  const Input first = cast_in_block(power1, dtype), second = cast_in_block(power2, dtype);
  return {first,           second,          learning_rate.as(dtype),
          beta1.as(dtype), beta2.as(dtype), epsilon.as(dtype)};
}

Output AdamOptimizer::unbiased_rate(const Factors& f) {
  const Output left2 = raw::Sqrt(sub(1, as_tensor(f.beta2_power)));
  const Output scaled = mul(f.rate, left2);
  return truediv(scaled, sub(1, as_tensor(f.beta1_power)));
}

Output AdamOptimizer::decay_and_add(const Variable& slot, Output decay, Output addend,
                                    Output indices) {
  const Output faded = slot.assign(mul(slot.value(), decay), {.use_locking = use_locking_});
  Node* const written = &write_of(slot, faded);
  const ControlDependencies after(std::span(&written, 1));
  if (!slot.is_resource())
    return slot.scatter("Add", indices, addend, {.use_locking = use_locking_});
  Node* const added = &raw::ResourceScatterAdd(slot.handle(), indices, addend);
  const ControlDependencies then(std::span(&added, 1));
  return slot.value();
}

Node& AdamOptimizer::apply_rows(const Change& change) {
  const Factors f = factors(change.var.dtype());
  const Output rate = unbiased_rate(f);
  const Output scaled = mul(change.grad, sub(1, f.beta1));
  const Output mean = decay_and_add(slot(change.var, "m"), f.beta1, scaled, change.indices);
  const Output squares = mul(change.grad, change.grad);
  const Output scaled_squares = mul(squares, sub(1, f.beta2));
  const Output variance =
      decay_and_add(slot(change.var, "v"), f.beta2, scaled_squares, change.indices);
  const Output deviation = raw::Sqrt(variance);
  const Output numerator = mul(rate, mean);
  const Output step = truediv(numerator, add(deviation, f.epsilon));
  const Output changed = change.var.assign_sub(step, {.use_locking = use_locking_});
  return group_all({&write_of(change.var, changed), mean.node, variance.node});
}

Node& AdamOptimizer::finish(const std::vector<Node*>& update_ops, const std::string& name_scope) {
  std::vector<Node*> all = update_ops;
  {
    const ControlDependencies after(update_ops);
    const auto [power1, power2] = beta_powers();
    const ColocateWith beside(power1.op());
    for (const auto& [power, beta] : {std::pair(power1, &beta1), std::pair(power2, &beta2)}) {
      const Output next = mul(power.value(), beta->tensor);
      all.push_back(&write_of(power, power.assign(next, {.use_locking = use_locking_})));
    }
  }
  return group_all(all, name_scope);
}

}  // namespace rill::train
