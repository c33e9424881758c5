#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/metrics/class_sets.h"

namespace rill::metrics {
namespace {

Output top_k_of(const Input& predictions, std::int64_t k) {
  return raw::TopKV2(predictions, k).indices;
}

// The sum of counts over all examples and steps.
Counted count_all_sets(SetCount what, const char* name, const Labels& labels, Output predictions,
                       const TopKOptions& options) {
  const Block in("", at_k_name(name, options.k, options.class_id), {});
  const Output counts = count_sets(what, labels, predictions,
                                   {.class_id = options.class_id, .weights = options.weights});
  const Output total = cast(reduce_sum(counts), DType::f64);
  return count(metric_variable({}, DType::f64, in.own_name()), total, "update");
}

// True positives among them and `other`.
Metric share_of_true_at_k(const char* name, SetCount other, const char* other_name,
                          const Labels& given_labels, const Input& given_predictions,
                          const TopKOptions& options, std::source_location at) {
  const Block in(options.name, at_k_name(name, options.k, options.class_id), at);
  const Output indices = as_tensor(given_predictions);
  const Labels labels = with_last_dimension(given_labels, indices);
  const Output predictions = cast(indices, DType::i64);
  const Counted hits =
      count_all_sets(SetCount::kTruePositive, "true_positive", labels, predictions, options);
  const Counted misses = count_all_sets(other, other_name, labels, predictions, options);
  const auto share = [](const Input& x, const Input& y, const std::string& node_name) {
    return divide(x, add(x, y), {.name = node_name});
  };
  const Output value = share(hits.value, misses.value, in.own_name());
  return collected(value, share(hits.update, misses.update, "update"), options);
}

template <class Compute>
Metric at_k(const char* name, Compute at_top_k, const Labels& labels, const Input& predictions,
            std::int64_t k, const AtKOptions& options, std::source_location at) {
  const Block in(options.name, at_k_name(name, k, options.class_id), at);
  return at_top_k(labels, top_k_of(predictions, k),
                  TopKOptions{.k = k,
                              .class_id = options.class_id,
                              .weights = options.weights,
                              .metrics_collections = options.metrics_collections,
                              .updates_collections = options.updates_collections,
                              .name = in.own_name()},
                  at);
}

// For each example the mean of the precisions at the places of its labels.
Output average_precision(const Labels& given_labels, Output indices) {
  const Block in("", "average_precision", {});
  const Output predictions = cast(indices, DType::i64, {.name = "predictions_idx"});
  const PartialShape& shape = predictions.shape();
  require(shape.rank() != 0, "The rank of `predictions_idx` must be at least 1.");
  const std::int64_t k = shape.has_rank() ? shape[shape.rank() - 1] : kUnknownDim;
  require(k != kUnknownDim,
          "The last dimension of predictions_idx must be set. Currently, it is None.");
  const Labels labels = with_last_dimension(given_labels, predictions);
  const Output per_k = expand_dims(predictions, -1, {.name = "predictions_idx_per_k"});
  const Labels labels_per_k = expand_and_tile(labels, k, -1, "labels_per_k");
  const Output relevant =
      count_sets(SetCount::kTruePositive, labels_per_k, per_k, {.name = "relevant_per_k"});
  const Output hits = raw::Cumsum(relevant, -1, {.name = "tp_per_k"});
  const Output all = raw::Cumsum(ones_like(relevant), -1, {.name = "retrieved_per_k"});
  const Output precision =
      divide(cast(hits, DType::f64), cast(all, DType::f64), {.name = "precision_per_k"});
  const Output counted =
      raw::Mul(precision, cast(relevant, DType::f64), {.name = "relevant_precision_per_k"});
  const Output sum =
      reduce_sum(counted, {.axis = Tensor::vector<std::int32_t>({-1}), .name = "precision_sum"});
  return divide(sum, cast(num_relevant(labels, k), DType::f64), {.name = in.own_name()});
}

// A float64 that is counted in a block of its own.
template <class Batch>
Counted counted_in(const char* name, Batch batch) {
  const Block in("", name, {});
  const Variable variable = metric_variable({}, DType::f64, in.own_name());
  return count(variable, batch(), "update");
}

}  // namespace

Metric precision_at_top_k(const Labels& labels, const Input& predictions_idx,
                          const TopKOptions& options, std::source_location at) {
  return share_of_true_at_k("precision", SetCount::kFalsePositive, "false_positive", labels,
                            predictions_idx, options, at);
}

Metric recall_at_top_k(const Labels& labels, const Input& predictions_idx,
                       const TopKOptions& options, std::source_location at) {
  return share_of_true_at_k("recall", SetCount::kFalseNegative, "false_negative", labels,
                            predictions_idx, options, at);
}

Metric precision_at_k(const Labels& labels, const Input& predictions, std::int64_t k,
                      const AtKOptions& options, std::source_location at) {
  return at_k("precision", precision_at_top_k, labels, predictions, k, options, at);
}

Metric recall_at_k(const Labels& labels, const Input& predictions, std::int64_t k,
                   const AtKOptions& options, std::source_location at) {
  return at_k("recall", recall_at_top_k, labels, predictions, k, options, at);
}

Metric average_precision_of(const Labels& labels, Output indices, const MetricOptions& options,
                            const Block& in) {
  Output average = average_precision(labels, indices), weights;
  if (options.weights) {
    weights = broadcast_weights(cast(*options.weights, DType::f64), average);
    average = raw::Mul(average, weights);
  }
  const Counted most = counted_in("max", [&] {
    if (weights.node) return reduce_sum(weights, {.name = "batch_max"});
    return cast(size(average, {.name = "batch_max"}), DType::f64);
  });
  const Counted total =
      counted_in("total", [&] { return reduce_sum(average, {.name = "batch_total"}); });
  const Output value = raw::DivNoNan(total.value, most.value, {.name = "mean"});
  const Output update = raw::DivNoNan(total.update, most.update, {.name = in.own_name()});
  return collected(value, update, options);
}

Metric average_precision_at_k(const Labels& given_labels, const Input& given_predictions,
                              std::int64_t k, const MetricOptions& options,
                              std::source_location at) {
  require(k >= 1, "Invalid k=", k, ". `k` should be >= 1.");
  const Block in(options.name, at_k_name("average_precision", k), at);
  const Output predictions = as_tensor(given_predictions);
  const Output indices = top_k_of(predictions, k);
  const Output classes = cast(slice(shape(predictions), {Input(-1)}), DType::i64);
  return average_precision_of(without_unknown(given_labels, classes), indices, options, in);
}

}  // namespace rill::metrics
