#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/squeezable.h"
#include "rill/api/nn/cross_entropy.h"

namespace rill::losses {
namespace {

// labels * keep + share
Output smoothed(Output labels, double keep, const Input& share, std::source_location at) {
  return operators::add(operators::mul(labels, keep, at), share, at);
}

// Weights of a column of labels, as a vector, too.
Output squeezed_weights(const Input& given, Output labels, std::source_location at) {
  const Output weights = as_tensor(given);
  const PartialShape shape = weights.shape();
  if (shape.has_rank() && labels.shape().has_rank())
    return shape.rank() - labels.shape().rank() == 1 ? without_last(weights) : weights;
  const Output weights_rank = rank(weights);
  const Output diff = operators::sub(weights_rank, rank(labels), at);
  if (!may_end_with_one(shape)) return weights;
  return cond_one(
      raw::Equal(1, diff), [&] { return without_last(weights); }, [&] { return weights; });
}

}  // namespace

Output sigmoid_cross_entropy(const Input& multi_class_labels, const Input& given_logits,
                             const CrossEntropyOptions& options, std::source_location at) {
  const Block in(options.scope, "sigmoid_cross_entropy_loss", at);
  const Output logits = as_tensor(given_logits);
  Output labels = cast(multi_class_labels, base_type(logits.dtype()));
  require_compatible(logits, labels);
  const double smoothing = options.label_smoothing;
  if (smoothing > 0) labels = smoothed(labels, 1 - smoothing, 0.5 * smoothing, at);
  const Output losses = nn::sigmoid_cross_entropy_with_logits(labels, logits, {.name = "xentropy"});
  return compute_weighted_loss(losses, common(options, in));
}

Output softmax_cross_entropy(const Input& onehot_labels, const Input& given_logits,
                             const CrossEntropyOptions& options, std::source_location at) {
  const Block in(options.scope, "softmax_cross_entropy_loss", at);
  const Output logits = as_tensor(given_logits);
  Output labels = cast(onehot_labels, base_type(logits.dtype()));
  require_compatible(logits, labels);
  if (options.label_smoothing > 0) {
    const Output last = slice(shape(labels), {Input(-1)});
    const Output classes = cast(last, base_type(logits.dtype()));
    const Output share = operators::truediv(options.label_smoothing, classes, at);
    labels = smoothed(labels, 1.0 - options.label_smoothing, share, at);
  }
  labels = raw::StopGradient(labels, {.name = "labels_stop_gradient"});
  const Output losses =
      nn::softmax_cross_entropy_with_logits_v2(labels, logits, {.name = "xentropy"});
  return compute_weighted_loss(losses, common(options, in));
}

Output sparse_softmax_cross_entropy(const Input& given_labels, const Input& given_logits,
                                    const LossOptions& options, std::source_location at) {
  const Block in(options.scope, "sparse_softmax_cross_entropy_loss", at);
  const auto [labels, logits] =
      remove_squeezable_dimensions(given_labels, given_logits, {.expected_rank_diff = 1});
  LossOptions weighted = common(options, in);
  weighted.weights = squeezed_weights(options.weights, labels, at);
  const Output losses =
      nn::sparse_softmax_cross_entropy_with_logits(labels, logits, {.name = "xentropy"});
  return compute_weighted_loss(losses, weighted);
}

}  // namespace rill::losses
