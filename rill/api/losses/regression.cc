#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/losses/parts.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"

namespace rill::losses {

Output absolute_difference(const Input& labels, const Input& predictions,
                           const LossOptions& options, std::source_location at) {
  const Block in(options.scope, "absolute_difference", at);
  const Pair pair = float_pair(labels, predictions);
  const Output losses = abs(raw::Sub(pair.predictions, pair.labels));
  return compute_weighted_loss(losses, common(options, in));
}

Output mean_squared_error(const Input& labels, const Input& predictions, const LossOptions& options,
                          std::source_location at) {
  const Block in(options.scope, "mean_squared_error", at);
  const Pair pair = float_pair(labels, predictions);
  const Output losses = raw::SquaredDifference(pair.predictions, pair.labels);
  return compute_weighted_loss(losses, common(options, in));
}

Output cosine_distance(const Input& labels, const Input& predictions, std::int64_t axis,
                       const LossOptions& options, std::source_location at) {
  const Block in(options.scope, "cosine_distance_loss", at);
  const Pair pair = float_pair(labels, predictions);
  const Output products = raw::Mul(pair.predictions, pair.labels);
  const Output cosine = reduce_sum(products, {.axis = parts::ints({axis}), .keepdims = true});
  return compute_weighted_loss(operators::sub(1, cosine, at), common(options, in));
}

Output hinge_loss(const Input& given_labels, const Input& given_logits, const LossOptions& options,
                  std::source_location at) {
  const Block in(options.scope, "hinge_loss", at);
  const auto [labels, logits] = float_pair(given_labels, given_logits);
  const Output ones = ones_like(labels);
  const Output signs = raw::Sub(operators::mul(2, labels, at), ones);
  const Output losses = raw::Relu(raw::Sub(ones, raw::Mul(signs, logits)));
  return compute_weighted_loss(losses, common(options, in));
}

Output huber_loss(const Input& labels, const Input& predictions, const HuberLossOptions& options,
                  std::source_location at) {
  const Block in(options.scope, "huber_loss", at);
  const Pair pair = float_pair(labels, predictions);
  const Output error = abs(raw::Sub(pair.predictions, pair.labels));
  const Output quadratic = raw::Minimum(error, options.delta);
  const Output linear = raw::Sub(error, quadratic);
  const Output half = as_tensor(0.5, "Const", DType::f32);
  const Output square = raw::Mul(half, raw::Mul(quadratic, quadratic));
  const Output losses = add(square, raw::Mul(options.delta, linear));
  return compute_weighted_loss(losses, common(options, in));
}

Output log_loss(const Input& given_labels, const Input& given_predictions,
                const LogLossOptions& options, std::source_location at) {
  const Block in(options.scope, "log_loss", at);
  const auto [labels, predictions] = float_pair(given_labels, given_predictions);
  const Output log_yes = raw::Log(operators::add(predictions, options.epsilon, at));
  const Output yes = operators::negative(raw::Mul(labels, log_yes), at);
  const Output negative = operators::sub(1, labels, at);
  const Output rest = operators::sub(1, predictions, at);
  const Output no = raw::Mul(negative, raw::Log(operators::add(rest, options.epsilon, at)));
  return compute_weighted_loss(operators::sub(yes, no, at), common(options, in));
}

Output mean_pairwise_squared_error(const Input& given_labels, const Input& given_predictions,
                                   const PairwiseLossOptions& options, std::source_location at) {
  const Block in(options.scope, "mean_pairwise_squared_error", at);
  const Output weights = cast(options.weights, DType::f32);
  const Output labels = cast(given_labels, DType::f32);
  Node* const fits = &assert_broadcastable(weights, labels);
  const ControlDependencies wait(std::span(&fits, 1));
  const Output predictions = cast(given_predictions, DType::f32);
  require_compatible(predictions, labels);
  const Output diffs = raw::Sub(predictions, labels);
  const Output axes = range(1, rank(diffs));
  const ReduceOptions per_example{.axis = axes, .keepdims = true};
  const auto twice_share = [&](Output sum, Output count) {
    const Output share = raw::DivNoNan(sum, raw::Maximum(count, 0), {.name = "value"});
    return operators::mul(2.0, share, at);
  };
  const Output squares = reduce_sum(raw::Square(diffs), per_example);
  const Output count = num_present(diffs, weights, true);
  const Output term1 = twice_share(squares, operators::sub(count, 1, at));
  const Output square_of_sum = raw::Square(reduce_sum(diffs, per_example));
  const Output term2 = twice_share(square_of_sum, raw::Mul(count, operators::sub(count, 1, at)));
  const Output loss = reduce_sum(raw::Mul(operators::sub(term1, term2, at), weights));
  const Output is_any = operators::greater(reduce_sum(count), 0, at);
  const Output mean = raw::Select(is_any, loss, zeros_like(loss), {.name = "value"});
  add_loss(mean, options.loss_collection);
  return mean;
}

}  // namespace rill::losses
