// tf.contrib.metrics.
#include "losses_functions.h"
#include "metrics_calls.h"
#include "rill/api/metrics/contrib.h"

namespace rill::python {
namespace {

template <auto F>
nb::object predictions_first(const Call& c) {
  return metric_calls::give_metric(
      F(c.input("predictions"), c.input("labels"), metric_calls::options_of(c), {}));
}

nb::object f1_score(const Call& c) {
  return metric_calls::give_metric(contrib::metrics::f1_score(
      c.input("labels"), c.input("predictions"), metric_calls::spread_options(c)));
}

nb::object recall_at_k(const Call& c) {
  return metric_calls::give_metric(contrib::metrics::streaming_recall_at_k(
      c.input("predictions"), c.input("labels"), c.integer("k"), metric_calls::options_of(c)));
}

nb::object accuracy(const Call& c) {
  return give(
      contrib::metrics::accuracy(c.input("predictions"), c.input("labels"),
                                 {.weights = c.optional_input("weights"), .name = c.name()}));
}

constexpr Function kContribMetrics[] = {
    {"contrib.metrics.streaming_accuracy(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::accuracy>, "tf.metrics.accuracy, predictions first."},
    {"contrib.metrics.streaming_precision(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::precision>, "tf.metrics.precision, predictions first."},
    {"contrib.metrics.streaming_recall(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::recall>, "tf.metrics.recall, predictions first."},
    {"contrib.metrics.streaming_true_positives(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::true_positives>,
     "tf.metrics.true_positives, predictions first."},
    {"contrib.metrics.streaming_true_negatives(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::true_negatives>,
     "tf.metrics.true_negatives, predictions first."},
    {"contrib.metrics.streaming_false_positives(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::false_positives>,
     "tf.metrics.false_positives, predictions first."},
    {"contrib.metrics.streaming_false_negatives(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::false_negatives>,
     "tf.metrics.false_negatives, predictions first."},
    {"contrib.metrics.streaming_mean_absolute_error(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::mean_absolute_error>,
     "tf.metrics.mean_absolute_error, predictions first."},
    {"contrib.metrics.streaming_mean_squared_error(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::mean_squared_error>,
     "tf.metrics.mean_squared_error, predictions first."},
    {"contrib.metrics.streaming_root_mean_squared_error(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::root_mean_squared_error>,
     "tf.metrics.root_mean_squared_error, predictions first."},
    {"contrib.metrics.streaming_covariance(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     predictions_first<contrib::metrics::streaming_covariance>,
     "The covariance of predictions and labels."},
    {"contrib.metrics.streaming_pearson_correlation(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     predictions_first<contrib::metrics::streaming_pearson_correlation>,
     "The Pearson correlation of predictions and labels."},
    {"contrib.metrics.streaming_mean(values, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_values<metrics::mean>, "tf.metrics.mean."},
    {"contrib.metrics.streaming_mean_tensor(values, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_values<metrics::mean_tensor>, "tf.metrics.mean_tensor."},
    {"contrib.metrics.count(values, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_values<contrib::metrics::count>, "How many values there were."},
    {"contrib.metrics.streaming_true_positives_at_thresholds(predictions, labels, thresholds, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::true_positives_at_thresholds>,
     "tf.metrics.true_positives_at_thresholds, predictions first."},
    {"contrib.metrics.streaming_true_negatives_at_thresholds(predictions, labels, thresholds, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::true_negatives_at_thresholds>,
     "tf.metrics.true_negatives_at_thresholds, predictions first."},
    {"contrib.metrics.streaming_false_positives_at_thresholds(predictions, labels, "
     "thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::false_positives_at_thresholds>,
     "tf.metrics.false_positives_at_thresholds, predictions first."},
    {"contrib.metrics.streaming_false_negatives_at_thresholds(predictions, labels, "
     "thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::false_negatives_at_thresholds>,
     "tf.metrics.false_negatives_at_thresholds, predictions first."},
    {"contrib.metrics.streaming_precision_at_thresholds(predictions, labels, thresholds, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::precision_at_thresholds>,
     "tf.metrics.precision_at_thresholds, predictions first."},
    {"contrib.metrics.streaming_recall_at_thresholds(predictions, labels, thresholds, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::recall_at_thresholds>,
     "tf.metrics.recall_at_thresholds, predictions first."},
    {"contrib.metrics.streaming_sensitivity_at_specificity(predictions, labels, specificity, "
     "weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, "
     "name=None)",
     metric_calls::at_rate<metrics::sensitivity_at_specificity>,
     "tf.metrics.sensitivity_at_specificity, predictions first."},
    {"contrib.metrics.streaming_specificity_at_sensitivity(predictions, labels, sensitivity, "
     "weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, "
     "name=None)",
     metric_calls::at_rate<metrics::specificity_at_sensitivity>,
     "tf.metrics.specificity_at_sensitivity, predictions first."},
    {"contrib.metrics.streaming_auc(predictions, labels, weights=None, num_thresholds=200, "
     "metrics_collections=None, updates_collections=None, curve='ROC', name=None)",
     metric_calls::auc, "tf.metrics.auc, predictions first."},
    {"contrib.metrics.f1_score(labels, predictions, weights=None, num_thresholds=200, "
     "metrics_collections=None, updates_collections=None, name=None)",
     f1_score, "The best F1 score at any threshold."},
    {"contrib.metrics.streaming_mean_iou(predictions, labels, num_classes, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_classes<metrics::mean_iou>, "tf.metrics.mean_iou, predictions first."},
    {"contrib.metrics.streaming_mean_relative_error(predictions, labels, normalizer, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::mean_relative_error, "tf.metrics.mean_relative_error, predictions first."},
    {"contrib.metrics.streaming_mean_cosine_distance(predictions, labels, dim, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::mean_cosine_distance, "tf.metrics.mean_cosine_distance, predictions first."},
    {"contrib.metrics.streaming_percentage_less(values, threshold, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::percentage_below, "tf.metrics.percentage_below."},
    {"contrib.metrics.streaming_recall_at_k(predictions, labels, k, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     recall_at_k, "How often labels are among the k largest predictions."},
    {"contrib.metrics.streaming_sparse_precision_at_k(predictions, labels, k, class_id=None, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_k<metrics::precision_at_k>, "tf.metrics.precision_at_k, predictions first."},
    {"contrib.metrics.streaming_sparse_recall_at_k(predictions, labels, k, class_id=None, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_k<metrics::recall_at_k>, "tf.metrics.recall_at_k, predictions first."},
    {"contrib.metrics.streaming_sparse_average_precision_at_k(predictions, labels, k, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::average_precision, "tf.metrics.average_precision_at_k, predictions first."},
    {"contrib.metrics.streaming_false_positive_rate(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     predictions_first<contrib::metrics::streaming_false_positive_rate>,
     "How many negative labels were taken for positive."},
    {"contrib.metrics.streaming_false_negative_rate(predictions, labels, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     predictions_first<contrib::metrics::streaming_false_negative_rate>,
     "How many positive labels were taken for negative."},
    {"contrib.metrics.streaming_sparse_precision_at_top_k(top_k_predictions, labels, "
     "class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None)",
     [](const Call& c) {
       const metrics::MetricOptions o = metric_calls::options_of(c);
       return metric_calls::give_metric(
           metrics::precision_at_top_k(metric_calls::labels_of(c), c.input("top_k_predictions"),
                                       {.class_id = c.optional_integer("class_id"),
                                        .weights = o.weights,
                                        .metrics_collections = o.metrics_collections,
                                        .updates_collections = o.updates_collections,
                                        .name = o.name}));
     },
     "tf.metrics.precision_at_top_k, predictions first."},
    {"contrib.metrics.streaming_sparse_average_precision_at_top_k(top_k_predictions, labels, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     [](const Call& c) {
       return metric_calls::give_metric(
           contrib::metrics::streaming_sparse_average_precision_at_top_k(
               c.input("top_k_predictions"), metric_calls::labels_of(c),
               metric_calls::options_of(c)));
     },
     "The average precision of classes that were chosen already."},
    {"contrib.metrics.cohen_kappa(labels, predictions_idx, num_classes, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     [](const Call& c) {
       return metric_calls::give_metric(
           contrib::metrics::cohen_kappa(c.input("labels"), c.input("predictions_idx"),
                                         c.integer("num_classes"), metric_calls::options_of(c)));
     },
     "How much more labels and predictions agree than by chance."},
    {"contrib.metrics.streaming_concat(values, axis=0, max_size=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     [](const Call& c) {
       return metric_calls::give_metric(contrib::metrics::streaming_concat(
           c.input("values"),
           {.axis = c.integer("axis"),
            .max_size = c.optional_integer("max_size"),
            .metrics_collections = metric_calls::names_in(c, "metrics_collections"),
            .updates_collections = metric_calls::names_in(c, "updates_collections"),
            .name = c.name()}));
     },
     "All values so far, one after the other."},
    {"contrib.metrics.accuracy(predictions, labels, weights=None, name=None)", accuracy,
     "How often predictions are the labels, in this step alone."},
};

}  // namespace

void bind_contrib_metrics() { add_functions(kContribMetrics); }

}  // namespace rill::python
