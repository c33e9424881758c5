#include "losses_functions.h"
#include "metrics_calls.h"
#include "variables.h"

namespace rill::python {
namespace {

constexpr Function kMetrics[] = {
    {"metrics.accuracy(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::accuracy>, "How often predictions are the labels."},
    {"metrics.auc(labels, predictions, weights=None, num_thresholds=200, "
     "metrics_collections=None, updates_collections=None, curve='ROC', name=None, "
     "summation_method='trapezoidal', thresholds=None)",
     metric_calls::auc, "The area under the ROC or precision-recall curve."},
    {"metrics.average_precision_at_k(labels, predictions, k, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::average_precision, "The mean of the precisions at the places of the labels."},
    {"metrics.false_negatives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::false_negatives>, "How many labels were missed."},
    {"metrics.false_negatives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::false_negatives_at_thresholds>,
     "How many labels were missed at each threshold."},
    {"metrics.false_positives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::false_positives>, "How many predictions were wrong."},
    {"metrics.false_positives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::false_positives_at_thresholds>,
     "How many predictions were wrong at each threshold."},
    {"metrics.mean(values, weights=None, metrics_collections=None, updates_collections=None, "
     "name=None)",
     metric_calls::of_values<metrics::mean>, "The weighted mean of all values so far."},
    {"metrics.mean_absolute_error(labels, predictions, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::mean_absolute_error>, "The mean of the sizes of the errors."},
    {"metrics.mean_cosine_distance(labels, predictions, dim, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::mean_cosine_distance, "The mean of one minus the products of unit vectors."},
    {"metrics.mean_iou(labels, predictions, num_classes, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_classes<metrics::mean_iou>,
     "The mean over classes of intersection over union."},
    {"metrics.mean_per_class_accuracy(labels, predictions, num_classes, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_classes<metrics::mean_per_class_accuracy>,
     "The mean over classes of their accuracy."},
    {"metrics.mean_relative_error(labels, predictions, normalizer, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::mean_relative_error, "The mean of the errors over a normalizer."},
    {"metrics.mean_squared_error(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::mean_squared_error>, "The mean of the squares of the errors."},
    {"metrics.mean_tensor(values, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_values<metrics::mean_tensor>, "The mean of each element by itself."},
    {"metrics.percentage_below(values, threshold, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::percentage_below, "The share of values below a threshold."},
    {"metrics.precision(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::precision>, "How many of the positive predictions are right."},
    {"metrics.precision_at_k(labels, predictions, k, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_k<metrics::precision_at_k>, "The precision of the k largest predictions."},
    {"metrics.precision_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::precision_at_thresholds>,
     "The precision at each threshold."},
    {"metrics.precision_at_top_k(labels, predictions_idx, k=None, class_id=None, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_top_k<metrics::precision_at_top_k>, "The precision of k predicted classes."},
    {"metrics.recall(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::recall>, "How many of the positive labels were found."},
    {"metrics.recall_at_k(labels, predictions, k, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_k<metrics::recall_at_k>, "The recall of the k largest predictions."},
    {"metrics.recall_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::recall_at_thresholds>, "The recall at each threshold."},
    {"metrics.recall_at_top_k(labels, predictions_idx, k=None, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_top_k<metrics::recall_at_top_k>, "The recall of k predicted classes."},
    {"metrics.root_mean_squared_error(labels, predictions, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::root_mean_squared_error>,
     "The root of the mean of the squares of the errors."},
    {"metrics.sensitivity_at_specificity(labels, predictions, specificity, weights=None, "
     "num_thresholds=200, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_rate<metrics::sensitivity_at_specificity>,
     "The sensitivity where the specificity is as given."},
    {"metrics.sparse_average_precision_at_k(labels, predictions, k, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::average_precision, "average_precision_at_k under its old name."},
    {"metrics.sparse_precision_at_k(labels, predictions, k, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_k<metrics::sparse_precision_at_k>, "precision_at_k under its old name."},
    {"metrics.specificity_at_sensitivity(labels, predictions, sensitivity, weights=None, "
     "num_thresholds=200, metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_rate<metrics::specificity_at_sensitivity>,
     "The specificity where the sensitivity is as given."},
    {"metrics.true_negatives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::true_negatives>, "How many negative labels were recognised."},
    {"metrics.true_negatives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::true_negatives_at_thresholds>,
     "How many negative labels were recognised at each threshold."},
    {"metrics.true_positives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     metric_calls::of_pair<metrics::true_positives>, "How many positive labels were found."},
    {"metrics.true_positives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     metric_calls::at_thresholds<metrics::true_positives_at_thresholds>,
     "How many positive labels were found at each threshold."},
    {"metrics.metric_variable(shape, dtype, validate_shape=True, name=None)",
     [](const Call& c) {
       return give(metrics::metric_variable(c.shape("shape").full(), c.dtype("dtype"), c.name(),
                                            c.flag("validate_shape")));
     },
     "A local variable of zeros for a metric of one's own."},
    {"metrics.reset(scope=None)",
     [](const Call& c) -> nb::object { return give(metrics::reset(c.text("scope"))); },
     "An operation that sets metrics back to nothing; not a function of TensorFlow."},
};

}  // namespace

void bind_metrics() { add_functions(kMetrics); }

}  // namespace rill::python
