#pragma once

#include "rill/api/metrics/metrics.h"

// tf.contrib.metrics: what it has beyond tf.metrics.
namespace rill::contrib::metrics {

using rill::metrics::AtRateOptions;
using rill::metrics::Metric;
using rill::metrics::MetricOptions;

struct AccuracyOptions {
  OptionalInput weights{};
  std::string name{};
};
// Of one step alone. Throws InvalidArgument unless labels are integers, truth values or strings,
// and predictions of the same type.
Output accuracy(const Input& predictions, const Input& labels, const AccuracyOptions& options = {},
                std::source_location at = std::source_location::current());

// How many values there were; with weights, their sum.
Metric count(const Input& values, const MetricOptions& options = {},
             std::source_location at = std::source_location::current());
// How often the label is among the k largest predictions.
Metric streaming_recall_at_k(const Input& predictions, const Input& labels, std::int64_t k,
                             const MetricOptions& options = {},
                             std::source_location at = std::source_location::current());
// The share of negative labels that were taken for positive, and of positive ones for negative: FP
// / (FP + TN) and FN / (FN + TP).
Metric streaming_false_positive_rate(const Input& predictions, const Input& labels,
                                     const MetricOptions& options = {},
                                     std::source_location at = std::source_location::current());
Metric streaming_false_negative_rate(const Input& predictions, const Input& labels,
                                     const MetricOptions& options = {},
                                     std::source_location at = std::source_location::current());
// average_precision_at_k of classes that were chosen already.
Metric streaming_sparse_average_precision_at_top_k(
    const Input& top_k_predictions, const rill::metrics::Labels& labels,
    const MetricOptions& options = {}, std::source_location at = std::source_location::current());
// How much more two judgements agree than by chance: (agreed - expected) / (1 - expected), at most
// 1. Throws InvalidArgument unless labels and predictions are vectors and num_classes is 2 or more.
Metric cohen_kappa(const Input& labels, const Input& predictions_idx, std::int64_t num_classes,
                   const MetricOptions& options = {},
                   std::source_location at = std::source_location::current());
// The best harmonic mean of precision and recall at any threshold.
Metric f1_score(const Input& labels, const Input& predictions, const AtRateOptions& options = {},
                std::source_location at = std::source_location::current());

// Of all pairs of elements; NaN while there are fewer than two.
Metric streaming_covariance(const Input& predictions, const Input& labels,
                            const MetricOptions& options = {},
                            std::source_location at = std::source_location::current());
Metric streaming_pearson_correlation(const Input& predictions, const Input& labels,
                                     const MetricOptions& options = {},
                                     std::source_location at = std::source_location::current());

struct ConcatOptions {
  std::int64_t axis = 0;
  std::optional<std::int64_t> max_size{};  // what comes after that many is left out
  std::vector<std::string> metrics_collections{}, updates_collections{};
  std::string name{};
};
// All values so far, one after the other along `axis`; the update gives their number. Throws
// InvalidArgument unless the other dimensions are known.
Metric streaming_concat(const Input& values, const ConcatOptions& options = {},
                        std::source_location at = std::source_location::current());

}  // namespace rill::contrib::metrics
