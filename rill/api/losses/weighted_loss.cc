#include <array>

#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/parts.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"

namespace rill::losses {
namespace {

struct Named {
  Reduction reduction;
  std::string_view text;
};
constexpr Named kReductions[] = {
    {Reduction::NONE, "none"},
    {Reduction::SUM, "weighted_sum"},
    {Reduction::MEAN, "weighted_mean"},
    {Reduction::SUM_OVER_BATCH_SIZE, "weighted_sum_over_batch_size"},
    {Reduction::SUM_BY_NONZERO_WEIGHTS, "weighted_sum_by_nonzero_weights"},
};

Output safe_mean(Output sum, Output count) {
  return raw::DivNoNan(reduce_sum(sum), count, {.name = "value"});
}

Output num_elements(Output losses, std::source_location at) {
  const Block in("", "num_elements", at);
  return cast(size(losses, {.name = in.own_name()}), base_type(losses.dtype()));
}

Output reduced(Output losses, Output weights, Reduction reduction, std::source_location at) {
  const Output weighted = raw::Mul(losses, weights);
  if (reduction == Reduction::NONE) return weighted;
  const Output sum = reduce_sum(weighted);
  switch (reduction) {
    case Reduction::MEAN:
      return safe_mean(sum, reduce_sum(operators::mul(ones_like(losses), weights, at)));
    case Reduction::SUM_BY_NONZERO_WEIGHTS:
      return safe_mean(sum, num_present(losses, weights));
    case Reduction::SUM_OVER_BATCH_SIZE:
      return safe_mean(sum, num_elements(losses, at));
    default:
      return sum;
  }
}

}  // namespace

Reduction reduction_of(std::string_view text) {
  for (const Named& named : kReductions)
    if (named.text == text) return named.reduction;
  raise(Code::kInvalidArgument, "Invalid Reduction Key ", text, ".");
}

std::string_view reduction_text(Reduction reduction) {
  for (const Named& named : kReductions)
    if (named.reduction == reduction) return named.text;
  raise(Code::kInvalidArgument, "Invalid Reduction Key ", static_cast<int>(reduction), ".");
}

void require_compatible(Output x, Output y) {
  require(x.shape().is_compatible(y.shape()), "Shapes ", shape_text(x.shape()), " and ",
          shape_text(y.shape()), " are incompatible");
}

Pair float_pair(const Input& labels, const Input& predictions) {
  const Output p = cast(predictions, DType::f32);
  const Output l = cast(labels, DType::f32);
  require_compatible(p, l);
  return {l, p};
}

Output num_present(Output losses, Output given_weights, bool per_batch) {
  const Block in("", "num_present", {});
  const Output weights = cast(given_weights, DType::f32);
  const Output is_zero = raw::Equal(weights, 0.0);
  const Output zeros = zeros_like(weights);
  const Output shown = raw::Select(is_zero, zeros, ones_like(weights));
  const Output present = broadcast_weights(shown, losses);
  if (!per_batch) return reduce_sum(present, {.name = in.own_name()});
  const Output axes = range(1, rank(present));
  return reduce_sum(present, {.axis = axes, .keepdims = true, .name = in.own_name()});
}

Output compute_weighted_loss(const Input& given_losses, const LossOptions& options,
                             std::source_location at) {
  const Block in(options.scope, "weighted_loss", at);
  Node* const fits = &assert_broadcastable(options.weights, given_losses);
  const ControlDependencies wait(std::span(&fits, 1));
  const Output losses = as_tensor(given_losses);
  const DType dtype = base_type(losses.dtype());
  const Output wide = cast(losses, DType::f32);
  const Output weights = cast(options.weights, DType::f32);
  const Output loss = cast(reduced(wide, weights, options.reduction, at), dtype);
  add_loss(loss, options.loss_collection);
  return loss;
}

}  // namespace rill::losses
