#include <algorithm>

#include "call.h"
#include "errors.h"
#include "losses_functions.h"
#include "rill/api/metrics/metrics.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

using metrics::Metric;

nb::object give(const Metric& metric) {
  return nb::make_tuple(python::give(metric.value), python::give(metric.update_op));
}

// One name or several.
std::vector<std::string> names_in(const Call& c, const char* argument) {
  const nb::handle given = c[argument];
  if (given.is_none()) return {};
  if (PyUnicode_Check(given.ptr())) return {str_of(given)};
  std::vector<std::string> names;
  for (nb::handle name : given) {
    std::string text = PyUnicode_Check(name.ptr()) ? str_of(name) : repr_of(name);
    if (std::ranges::find(names, text) == names.end()) names.push_back(std::move(text));
  }
  return names;
}

void require_graph() {
  const GraphObject* graph = known_graph(*default_graph());
  if (graph != nullptr && graph->recording)
    throw_python(PyExc_RuntimeError,
                 "tf.metrics functions are not supported when eager execution is enabled.");
}

metrics::MetricOptions options_of(const Call& c) {
  require_graph();
  return {c.optional_input("weights"), names_in(c, "metrics_collections"),
          names_in(c, "updates_collections"), c.name()};
}

metrics::Thresholds thresholds_of(const Call& c) {
  metrics::Thresholds thresholds;
  for (nb::handle item : c["thresholds"]) {
    const double value = PyFloat_AsDouble(item.ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    thresholds.push_back(value);
  }
  return thresholds;
}

metrics::Labels labels_of(const Call& c) {
  if (is_sparse(c["labels"])) return sparse_of(c["labels"]);
  return c.input("labels");
}

template <auto F>
nb::object of_values(const Call& c) {
  return give(F(c.input("values"), options_of(c), {}));
}

template <auto F>
nb::object of_pair(const Call& c) {
  return give(F(c.input("labels"), c.input("predictions"), options_of(c), {}));
}

template <auto F>
nb::object of_classes(const Call& c) {
  return give(
      F(c.input("labels"), c.input("predictions"), c.integer("num_classes"), options_of(c), {}));
}

template <auto F>
nb::object at_thresholds(const Call& c) {
  return give(F(c.input("labels"), c.input("predictions"), thresholds_of(c), options_of(c), {}));
}

template <auto F>
nb::object at_rate(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  return give(F(c.input("labels"), c.input("predictions"), c.number(c.parameter(2)),
                {.weights = o.weights,
                 .num_thresholds = c.integer("num_thresholds"),
                 .metrics_collections = o.metrics_collections,
                 .updates_collections = o.updates_collections,
                 .name = o.name},
                {}));
}

template <auto F>
nb::object at_k(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  return give(F(labels_of(c), c.input("predictions"), c.integer("k"),
                {.class_id = c.optional_integer("class_id"),
                 .weights = o.weights,
                 .metrics_collections = o.metrics_collections,
                 .updates_collections = o.updates_collections,
                 .name = o.name},
                {}));
}

template <auto F>
nb::object at_top_k(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  return give(F(labels_of(c), c.input("predictions_idx"),
                {.k = c.optional_integer("k"),
                 .class_id = c.optional_integer("class_id"),
                 .weights = o.weights,
                 .metrics_collections = o.metrics_collections,
                 .updates_collections = o.updates_collections,
                 .name = o.name},
                {}));
}

nb::object average_precision(const Call& c) {
  return give(metrics::average_precision_at_k(labels_of(c), c.input("predictions"), c.integer("k"),
                                              options_of(c)));
}

nb::object auc(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  metrics::AucOptions options{.weights = o.weights,
                              .num_thresholds = c.integer("num_thresholds"),
                              .metrics_collections = o.metrics_collections,
                              .updates_collections = o.updates_collections,
                              .curve = c.text("curve"),
                              .summation_method = c.text("summation_method"),
                              .name = o.name};
  if (c.has("thresholds")) options.thresholds = thresholds_of(c);
  return give(metrics::auc(c.input("labels"), c.input("predictions"), options));
}

constexpr Function kMetrics[] = {
    {"metrics.accuracy(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::accuracy>, "How often predictions are the labels."},
    {"metrics.auc(labels, predictions, weights=None, num_thresholds=200, "
     "metrics_collections=None, updates_collections=None, curve='ROC', name=None, "
     "summation_method='trapezoidal', thresholds=None)",
     auc, "The area under the ROC or precision-recall curve."},
    {"metrics.average_precision_at_k(labels, predictions, k, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     average_precision, "The mean of the precisions at the places of the labels."},
    {"metrics.false_negatives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::false_negatives>, "How many labels were missed."},
    {"metrics.false_negatives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_thresholds<metrics::false_negatives_at_thresholds>,
     "How many labels were missed at each threshold."},
    {"metrics.false_positives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::false_positives>, "How many predictions were wrong."},
    {"metrics.false_positives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_thresholds<metrics::false_positives_at_thresholds>,
     "How many predictions were wrong at each threshold."},
    {"metrics.mean(values, weights=None, metrics_collections=None, updates_collections=None, "
     "name=None)",
     of_values<metrics::mean>, "The weighted mean of all values so far."},
    {"metrics.mean_absolute_error(labels, predictions, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     of_pair<metrics::mean_absolute_error>, "The mean of the sizes of the errors."},
    {"metrics.mean_cosine_distance(labels, predictions, dim, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     [](const Call& c) {
       return give(metrics::mean_cosine_distance(c.input("labels"), c.input("predictions"),
                                                 c.integer("dim"), options_of(c)));
     },
     "The mean of one minus the products of unit vectors."},
    {"metrics.mean_iou(labels, predictions, num_classes, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     of_classes<metrics::mean_iou>, "The mean over classes of intersection over union."},
    {"metrics.mean_per_class_accuracy(labels, predictions, num_classes, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     of_classes<metrics::mean_per_class_accuracy>, "The mean over classes of their accuracy."},
    {"metrics.mean_relative_error(labels, predictions, normalizer, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     [](const Call& c) {
       return give(metrics::mean_relative_error(c.input("labels"), c.input("predictions"),
                                                c.input("normalizer"), options_of(c)));
     },
     "The mean of the errors over a normalizer."},
    {"metrics.mean_squared_error(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::mean_squared_error>, "The mean of the squares of the errors."},
    {"metrics.mean_tensor(values, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_values<metrics::mean_tensor>, "The mean of each element by itself."},
    {"metrics.percentage_below(values, threshold, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     [](const Call& c) {
       return give(
           metrics::percentage_below(c.input("values"), c.input("threshold"), options_of(c)));
     },
     "The share of values below a threshold."},
    {"metrics.precision(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::precision>, "How many of the positive predictions are right."},
    {"metrics.precision_at_k(labels, predictions, k, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_k<metrics::precision_at_k>, "The precision of the k largest predictions."},
    {"metrics.precision_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_thresholds<metrics::precision_at_thresholds>, "The precision at each threshold."},
    {"metrics.precision_at_top_k(labels, predictions_idx, k=None, class_id=None, "
     "weights=None, metrics_collections=None, updates_collections=None, name=None)",
     at_top_k<metrics::precision_at_top_k>, "The precision of k predicted classes."},
    {"metrics.recall(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::recall>, "How many of the positive labels were found."},
    {"metrics.recall_at_k(labels, predictions, k, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_k<metrics::recall_at_k>, "The recall of the k largest predictions."},
    {"metrics.recall_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_thresholds<metrics::recall_at_thresholds>, "The recall at each threshold."},
    {"metrics.recall_at_top_k(labels, predictions_idx, k=None, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_top_k<metrics::recall_at_top_k>, "The recall of k predicted classes."},
    {"metrics.root_mean_squared_error(labels, predictions, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     of_pair<metrics::root_mean_squared_error>,
     "The root of the mean of the squares of the errors."},
    {"metrics.sensitivity_at_specificity(labels, predictions, specificity, weights=None, "
     "num_thresholds=200, metrics_collections=None, updates_collections=None, name=None)",
     at_rate<metrics::sensitivity_at_specificity>,
     "The sensitivity where the specificity is as given."},
    {"metrics.sparse_average_precision_at_k(labels, predictions, k, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     average_precision, "average_precision_at_k under its old name."},
    {"metrics.sparse_precision_at_k(labels, predictions, k, class_id=None, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_k<metrics::sparse_precision_at_k>, "precision_at_k under its old name."},
    {"metrics.specificity_at_sensitivity(labels, predictions, sensitivity, weights=None, "
     "num_thresholds=200, metrics_collections=None, updates_collections=None, name=None)",
     at_rate<metrics::specificity_at_sensitivity>,
     "The specificity where the sensitivity is as given."},
    {"metrics.true_negatives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::true_negatives>, "How many negative labels were recognised."},
    {"metrics.true_negatives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_thresholds<metrics::true_negatives_at_thresholds>,
     "How many negative labels were recognised at each threshold."},
    {"metrics.true_positives(labels, predictions, weights=None, metrics_collections=None, "
     "updates_collections=None, name=None)",
     of_pair<metrics::true_positives>, "How many positive labels were found."},
    {"metrics.true_positives_at_thresholds(labels, predictions, thresholds, weights=None, "
     "metrics_collections=None, updates_collections=None, name=None)",
     at_thresholds<metrics::true_positives_at_thresholds>,
     "How many positive labels were found at each threshold."},
    {"metrics.reset(scope=None)",
     [](const Call& c) -> nb::object { return python::give(metrics::reset(c.text("scope"))); },
     "An operation that sets metrics back to nothing; not a function of TensorFlow."},
};

}  // namespace

void bind_metrics() { add_functions(kMetrics); }

}  // namespace rill::python
