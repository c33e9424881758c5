#include "rill/api/estimator/heads/metric_parts.h"

#include <cstdio>

#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"

namespace rill::estimator {
namespace {

EvalMetric accuracy_at(const Measured& m, Output predictions, double threshold,
                       const std::string& name) {
  const Block in(name, {}, call_site());
  const Output positive = to_float(raw::GreaterEqual(predictions, threshold));
  return plain(
      metrics::accuracy(m.labels, positive, {.weights = m.weights, .name = in.own_name()}));
}

using AtThresholdsFn = metrics::Metric (*)(const Input&, const Input&, const metrics::Thresholds&,
                                           const metrics::MetricOptions&, std::source_location);

EvalMetric rate_at(AtThresholdsFn function, const Measured& m, Output predictions, double threshold,
                   const std::string& name) {
  const Block in(name, {}, call_site());
  const metrics::Metric rates =
      function(m.labels, predictions, {threshold}, {.weights = m.weights, .name = in.own_name()},
               call_site());
  const Output value = squeeze(rates.value);
  return {value, squeeze(rates.update_op)};
}

}  // namespace

EvalMetric plain(const metrics::Metric& metric) { return {metric.value, metric.update_op}; }

EvalMetric mean_of(Output given, const Input& weights, const char* name, const char* inner) {
  const Block in(name, {}, call_site());
  const Output values = cast(given, DType::f32, {.name = inner});
  const Output wide = broadcast_weights(weights, values);
  return plain(metrics::mean(values, {.weights = wide, .name = in.own_name()}));
}

EvalMetric area(const Measured& m, Output labels, Output given, const char* curve,
                const std::string& name) {
  const Block in(name, {}, call_site());
  const Output predictions = cast(given, DType::f32, {.name = "predictions"});
  const Output wide = broadcast_weights(m.weights, predictions);
  return plain(
      metrics::auc(labels, predictions, {.weights = wide, .curve = curve, .name = in.own_name()}));
}

EvalMetric baseline_of(const EvalMetric& labels_mean, std::source_location at) {
  const Block in({}, metric_keys::ACCURACY_BASELINE, at);
  const Output value = labels_mean.value, update = labels_mean.update_op.tensor();
  const Output best = raw::Maximum(value, operators::sub(1.0, value, at), {.name = "value"});
  return {best, raw::Maximum(update, operators::sub(1, update, at), {.name = "update_op"})};
}

std::string at_threshold(const char* metric, double threshold) {
  char text[64];
  std::snprintf(text, sizeof text, "%s/positive_threshold_%g", metric, threshold);
  return text;
}

void add_at_thresholds(Metrics& metrics, const Objective& objective, const Measured& m,
                       Output predictions, const std::vector<double>& thresholds) {
  for (const double threshold : thresholds) {
    const std::string accuracy = at_threshold(metric_keys::ACCURACY, threshold),
                      precision = at_threshold(metric_keys::PRECISION, threshold),
                      recall = at_threshold(metric_keys::RECALL, threshold);
    metrics[objective.key(accuracy)] = accuracy_at(m, predictions, threshold, accuracy);
    metrics[objective.key(precision)] =
        rate_at(metrics::precision_at_thresholds, m, predictions, threshold, precision);
    metrics[objective.key(recall)] =
        rate_at(metrics::recall_at_thresholds, m, predictions, threshold, recall);
  }
}

void add_regularization(Metrics& metrics, const Objective& objective, Output loss) {
  if (loss.node == nullptr) return;
  metrics[objective.key(metric_keys::LOSS_REGULARIZATION)] =
      plain(metrics::mean(loss, {.name = metric_keys::LOSS_REGULARIZATION}));
}

}  // namespace rill::estimator
