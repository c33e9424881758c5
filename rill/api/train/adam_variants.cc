#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/train/adam.h"

namespace rill::train {
namespace {

// The rows of a variable that `indices` say.
Output rows_of(const Variable& variable, Output indices) {
  if (variable.is_resource())
    return raw::ResourceGather(variable.handle(), indices, variable.dtype());
  return raw::GatherV2(variable.value(), indices, 0);
}

}  // namespace

Node& LazyAdamOptimizer::apply_rows(const Change& change) {
  const Factors f = factors(change.var.dtype());
  const Output rate = unbiased_rate(f);
  const Variable m = slot(change.var, "m"), v = slot(change.var, "v");
  const AssignOptions how{.use_locking = use_locking_};

  const Output old_mean = mul(f.beta1, rows_of(m, change.indices));
  const Output mean = add(old_mean, mul(sub(1, f.beta1), change.grad));
  const Output stored_mean = m.scatter("Update", change.indices, mean, how);
  const Output old_variance = mul(f.beta2, rows_of(v, change.indices));
  const Output variance = add(old_variance, mul(sub(1, f.beta2), raw::Square(change.grad)));
  const Output stored_variance = v.scatter("Update", change.indices, variance, how);

  const Output numerator = mul(rate, mean);
  const Output step = truediv(numerator, add(raw::Sqrt(variance), f.epsilon));
  const Output changed = change.var.scatter("Sub", change.indices, step, how);
  return group_all(
      {&write_of(change.var, changed), &write_of(m, stored_mean), &write_of(v, stored_variance)});
}

Node& NadamOptimizer::apply_dense(Output grad, const Variable& var) {
  return apply_op({var, grad, {}}, true);
}

Node& NadamOptimizer::resource_apply_dense(Output grad, const Variable& var) {
  return apply_op({var, grad, {}}, true);
}

Node& NadamOptimizer::apply_rows(const Change& change) {
  const Factors f = factors(change.var.dtype());
  const Output rate = unbiased_rate(f);
  const Output scaled = mul(change.grad, sub(1, f.beta1));
  const Output mean = decay_and_add(slot(change.var, "m"), f.beta1, scaled, change.indices);
  // The average as it will be after the next step, as far as this gradient tells.
  const Output ahead = add(scaled, mul(f.beta1, raw::GatherV2(mean, change.indices, 0)));
  const Output squares = mul(change.grad, change.grad);
  const Output scaled_squares = mul(squares, sub(1, f.beta2));
  const Output variance =
      decay_and_add(slot(change.var, "v"), f.beta2, scaled_squares, change.indices);
  const Output deviation = raw::Sqrt(raw::GatherV2(variance, change.indices, 0));
  const Output numerator = mul(raw::Neg(rate), ahead);
  const Output step = truediv(numerator, add(deviation, f.epsilon));
  const Output changed =
      change.var.scatter("Add", change.indices, step, {.use_locking = use_locking_});
  return group_all({&write_of(change.var, changed), ahead.node, variance.node});
}

}  // namespace rill::train
