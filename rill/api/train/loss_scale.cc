#include "rill/api/train/loss_scale.h"

#include "rill/api/array/picking.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/control.h"
#include "rill/api/gen/math.h"

namespace rill::train::experimental {
namespace {

Gradient scaled(const Gradient& gradient, const Output& factor) {
  if (gradient.empty()) return gradient;
  if (!gradient.is_slices()) {
    const Output dense = gradient.dense();
    return mul(dense, cast_in_block(factor, base_type(dense.dtype())));
  }
  IndexedSlices rows = gradient.slices();
  rows.values = mul(rows.values, cast_in_block(factor, base_type(rows.values.dtype())));
  return rows;
}

// Whether all elements of all gradients are finite.
Output all_finite(const std::vector<Gradient>& grads) {
  std::vector<Output> each;
  for (const Gradient& gradient : grads) {
    if (gradient.empty()) continue;
    const Output values = gradient.is_slices() ? gradient.slices().values : gradient.dense();
    const Output finite = raw::IsFinite(values);
    each.push_back(raw::All(finite, raw::Range(0, raw::Rank(finite), 1)));
  }
  if (each.empty()) return constant(true);
  const Output all = raw::Pack(Inputs(each.begin(), each.end()));
  return raw::All(all, constant({0}));
}

}  // namespace

// --- fixed ---------------------------------------------------------------------------------------

FixedLossScale::FixedLossScale(double loss_scale_value) : value_(loss_scale_value) {
  require(value_ >= 1, "loss_scale_value must be at least 1, not ", value_);
}

Output FixedLossScale::operator()() { return constant(static_cast<float>(value_)); }

std::pair<Node*, Output> FixedLossScale::update(const std::vector<Gradient>&) {
  return {&no_op(), constant(true)};
}

// --- dynamic -------------------------------------------------------------------------------------

DynamicLossScale::DynamicLossScale(const DynamicLossScaleOptions& options) : options_(options) {
  require(options.initial_loss_scale >= 1 && options.multiplier > 1 && options.increment_period > 0,
          "a loss scale begins with 1 or more, is multiplied by more than 1, after a positive "
          "number of steps");
  current_loss_scale =
      Variable(static_cast<float>(options.initial_loss_scale),
               {.trainable = false, .use_resource = true, .name = "current_loss_scale"});
  num_good_steps = Variable(Tensor::scalar<std::int64_t>(0),
                            {.trainable = false, .use_resource = true, .name = "good_steps"});
}

Output DynamicLossScale::operator()() { return current_loss_scale.value(); }

std::pair<Node*, Output> DynamicLossScale::update(const std::vector<Gradient>& grads) {
  const Output finite = all_finite(grads);
  const Output scale = current_loss_scale.value(), good = num_good_steps.value();
  const Output factor = constant(static_cast<float>(options_.multiplier));
  const Output next_good = add(good, constant(std::int64_t{1}));
  const Output is_time = raw::GreaterEqual(next_good, constant(options_.increment_period));
  const Output larger = mul(scale, factor);
  const Output grown = raw::Select(raw::LogicalAnd(is_time, raw::IsFinite(larger)), larger, scale);
  const Output smaller = raw::Maximum(truediv(scale, factor), constant(1.0f));
  const Output none = constant(std::int64_t{0});
  const Output kept = raw::Select(is_time, none, next_good);
  Node& scaled =
      write_of(current_loss_scale, current_loss_scale.assign(raw::Select(finite, grown, smaller)));
  Node& counted = write_of(num_good_steps, num_good_steps.assign(raw::Select(finite, kept, none)));
  return {&group_all({&scaled, &counted}), finite};
}

// --- the optimizer -------------------------------------------------------------------------------

MixedPrecisionLossScaleOptimizer::MixedPrecisionLossScaleOptimizer(std::shared_ptr<Optimizer> opt,
                                                                   LossScaleRef loss_scale)
    : Optimizer(opt->use_locking(), opt->get_name()),
      optimizer_(std::move(opt)),
      scale_(std::move(loss_scale)) {
  require(scale_ != nullptr, "a loss scale is missing");
}

std::vector<GradientAndVariable> MixedPrecisionLossScaleOptimizer::compute_gradients(
    Output loss, const ComputeGradientsOptions& options, std::source_location at) {
  const Output scale = (*scale_)();
  const Output large = mul(loss, cast_in_block(scale, base_type(loss.dtype())));
  std::vector<GradientAndVariable> items = optimizer_->compute_gradients(large, options, at);
  const Output back = raw::Reciprocal(scale);
  for (GradientAndVariable& item : items) item.gradient = scaled(item.gradient, back);
  return items;
}

Node& MixedPrecisionLossScaleOptimizer::apply_gradients(
    const std::vector<GradientAndVariable>& items, const ApplyGradientsOptions& options,
    std::source_location at) {
  std::vector<Gradient> grads;
  for (const GradientAndVariable& item : items) grads.push_back(item.gradient);
  const auto [updated, may_apply] = scale_->update(grads);
  // The slots are made outside of the branch, so that the initializer finds them.
  std::vector<Variable> variables;
  for (const GradientAndVariable& item : items)
    if (!item.gradient.empty()) variables.push_back(item.variable);
  optimizer_->create_slots(variables);
  const Output applied = cond_one(
      may_apply,
      [&] {
        const ControlDependencies after({&optimizer_->apply_gradients(items, options, at)});
        return constant(true);
      },
      [] { return constant(false); }, {}, at);
  return group_all({updated, applied.node});
}

Variable MixedPrecisionLossScaleOptimizer::get_slot(const Variable& var,
                                                    const std::string& name) const {
  return optimizer_->get_slot(var, name);
}

std::vector<std::string> MixedPrecisionLossScaleOptimizer::get_slot_names() const {
  return optimizer_->get_slot_names();
}

}  // namespace rill::train::experimental
