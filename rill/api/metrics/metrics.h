#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/sparse/sets.h"
#include "rill/api/variables/variable.h"

// tf.metrics: how good predictions are, over all steps since the variables were initialised. A
// metric counts in local variables, which are also in METRIC_VARIABLES.
namespace rill::metrics {

// How it is used:
//
//   auto [accuracy, update] = metrics::accuracy(labels, predictions);
//   session.run(local_variables_initializer());
//   for (...) session.run(update, feeds);  // each batch
//   Tensor result = session.run(accuracy);
//
// The value does not count; in one step with the update it may come before or after it. Labels and
// predictions whose shapes cannot be equal, and weights that do not fit, throw InvalidArgument.
struct Metric {
  Output value = {};      // of what was counted so far
  Output update_op = {};  // counts this step, too, and gives the value after that
};

struct MetricOptions {
  OptionalInput weights{};  // a scalar, or of the rank of the labels; 1 where absent
  std::vector<std::string> metrics_collections{};  // where the value goes
  std::vector<std::string> updates_collections{};  // where the update goes
  std::string name{};
};

// An operation that sets what the metrics of the default graph have counted back to nothing; with a
// scope, of those whose variables have names that begin with it.
Node& reset(std::string_view scope = {}, std::source_location at = std::source_location::current());

// For metrics of one's own: a variable of zeros to count in.
Variable metric_variable(const Shape& shape, DType dtype, const std::string& name,
                         bool validate_shape = true);

// Means.
Metric mean(const Input& values, const MetricOptions& options = {},
            std::source_location at = std::source_location::current());
// Of each element by itself. Throws InvalidArgument unless the shape is known.
Metric mean_tensor(const Input& values, const MetricOptions& options = {},
                   std::source_location at = std::source_location::current());
// How often a prediction is the label.
Metric accuracy(const Input& labels, const Input& predictions, const MetricOptions& options = {},
                std::source_location at = std::source_location::current());
Metric mean_absolute_error(const Input& labels, const Input& predictions,
                           const MetricOptions& options = {},
                           std::source_location at = std::source_location::current());
Metric mean_squared_error(const Input& labels, const Input& predictions,
                          const MetricOptions& options = {},
                          std::source_location at = std::source_location::current());
// The root of the mean over all steps, not the mean of their roots.
Metric root_mean_squared_error(const Input& labels, const Input& predictions,
                               const MetricOptions& options = {},
                               std::source_location at = std::source_location::current());
// |labels - predictions| / normalizer, and 0 where the normalizer is 0.
Metric mean_relative_error(const Input& labels, const Input& predictions, const Input& normalizer,
                           const MetricOptions& options = {},
                           std::source_location at = std::source_location::current());
// 1 - the product of unit vectors along `dim`.
Metric mean_cosine_distance(const Input& labels, const Input& predictions, std::int64_t dim,
                            const MetricOptions& options = {},
                            std::source_location at = std::source_location::current());
// The share of values that are less than `threshold`.
Metric percentage_below(const Input& values, const Input& threshold,
                        const MetricOptions& options = {},
                        std::source_location at = std::source_location::current());

// Classes. Labels and predictions are numbers below `num_classes`. The mean over the classes of TP
// / (TP + FP + FN), and of the share of each class that was found. Classes that never came do not
// count in the first.
Metric mean_iou(const Input& labels, const Input& predictions, std::int64_t num_classes,
                const MetricOptions& options = {},
                std::source_location at = std::source_location::current());
Metric mean_per_class_accuracy(const Input& labels, const Input& predictions,
                               std::int64_t num_classes, const MetricOptions& options = {},
                               std::source_location at = std::source_location::current());

// Truth values, or what can be cast to them.
Metric true_positives(const Input& labels, const Input& predictions,
                      const MetricOptions& options = {},
                      std::source_location at = std::source_location::current());
Metric true_negatives(const Input& labels, const Input& predictions,
                      const MetricOptions& options = {},
                      std::source_location at = std::source_location::current());
Metric false_positives(const Input& labels, const Input& predictions,
                       const MetricOptions& options = {},
                       std::source_location at = std::source_location::current());
Metric false_negatives(const Input& labels, const Input& predictions,
                       const MetricOptions& options = {},
                       std::source_location at = std::source_location::current());
// TP / (TP + FP) and TP / (TP + FN); 0 while nothing counts.
Metric precision(const Input& labels, const Input& predictions, const MetricOptions& options = {},
                 std::source_location at = std::source_location::current());
Metric recall(const Input& labels, const Input& predictions, const MetricOptions& options = {},
              std::source_location at = std::source_location::current());

// Predictions between 0 and 1 that count as true above each of the thresholds.
using Thresholds = std::vector<double>;
Metric true_positives_at_thresholds(const Input& labels, const Input& predictions,
                                    const Thresholds& thresholds, const MetricOptions& options = {},
                                    std::source_location at = std::source_location::current());
Metric true_negatives_at_thresholds(const Input& labels, const Input& predictions,
                                    const Thresholds& thresholds, const MetricOptions& options = {},
                                    std::source_location at = std::source_location::current());
Metric false_positives_at_thresholds(const Input& labels, const Input& predictions,
                                     const Thresholds& thresholds,
                                     const MetricOptions& options = {},
                                     std::source_location at = std::source_location::current());
Metric false_negatives_at_thresholds(const Input& labels, const Input& predictions,
                                     const Thresholds& thresholds,
                                     const MetricOptions& options = {},
                                     std::source_location at = std::source_location::current());
Metric precision_at_thresholds(const Input& labels, const Input& predictions,
                               const Thresholds& thresholds, const MetricOptions& options = {},
                               std::source_location at = std::source_location::current());
Metric recall_at_thresholds(const Input& labels, const Input& predictions,
                            const Thresholds& thresholds, const MetricOptions& options = {},
                            std::source_location at = std::source_location::current());

// More thresholds come closer to the true curve; memory and time grow with them, not with examples.
struct AucOptions {
  OptionalInput weights{};
  std::int64_t num_thresholds = 200;
  std::vector<std::string> metrics_collections{}, updates_collections{};
  std::string curve = "ROC";                     // or "PR"
  std::string summation_method = "trapezoidal";  // careful_interpolation, minoring, majoring
  std::optional<Thresholds> thresholds{};        // instead of num_thresholds; 0 and 1 are added
  std::string name{};
};
// The area under the curve. Throws InvalidArgument where curve or method are none of these.
Metric auc(const Input& labels, const Input& predictions, const AucOptions& options = {},
           std::source_location at = std::source_location::current());

// num_thresholds between 0 and 1 at which rates are counted: the answer is as fine as they are.
struct AtRateOptions {
  OptionalInput weights{};
  std::int64_t num_thresholds = 200;
  std::vector<std::string> metrics_collections{}, updates_collections{};
  std::string name{};
};
// The sensitivity at the threshold whose specificity is nearest to the given one, and the reverse.
// Throw InvalidArgument unless the rate is between 0 and 1.
Metric sensitivity_at_specificity(const Input& labels, const Input& predictions, double specificity,
                                  const AtRateOptions& options = {},
                                  std::source_location at = std::source_location::current());
Metric specificity_at_sensitivity(const Input& labels, const Input& predictions, double sensitivity,
                                  const AtRateOptions& options = {},
                                  std::source_location at = std::source_location::current());

// Retrieval. `labels` are the numbers of the classes of each example, sparse or in its last
// dimension.
using Labels = sets::SetInput;
struct TopKOptions {
  std::optional<std::int64_t> k{};         // only for names
  std::optional<std::int64_t> class_id{};  // count this class alone
  OptionalInput weights{};
  std::vector<std::string> metrics_collections{}, updates_collections{};
  std::string name{};
};
// Of classes that were predicted, largest first: the share that are labels, and the share of labels
// among them. Throws InvalidArgument unless the last dimension of predictions_idx is known.
Metric precision_at_top_k(const Labels& labels, const Input& predictions_idx,
                          const TopKOptions& options = {},
                          std::source_location at = std::source_location::current());
Metric recall_at_top_k(const Labels& labels, const Input& predictions_idx,
                       const TopKOptions& options = {},
                       std::source_location at = std::source_location::current());
struct AtKOptions {
  std::optional<std::int64_t> class_id{};
  OptionalInput weights{};
  std::vector<std::string> metrics_collections{}, updates_collections{};
  std::string name{};
};
// The same of the classes with the k largest predictions.
Metric precision_at_k(const Labels& labels, const Input& predictions, std::int64_t k,
                      const AtKOptions& options = {},
                      std::source_location at = std::source_location::current());
Metric recall_at_k(const Labels& labels, const Input& predictions, std::int64_t k,
                   const AtKOptions& options = {},
                   std::source_location at = std::source_location::current());
// The mean over examples of the mean precision at each place, up to k, that holds a label. Throws
// InvalidArgument when k is less than 1.
Metric average_precision_at_k(const Labels& labels, const Input& predictions, std::int64_t k,
                              const MetricOptions& options = {},
                              std::source_location at = std::source_location::current());
inline constexpr auto& sparse_precision_at_k = precision_at_k;
inline constexpr auto& sparse_average_precision_at_k = average_precision_at_k;

}  // namespace rill::metrics
