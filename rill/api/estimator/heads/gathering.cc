#include "rill/api/estimator/heads/gathering.h"

#include "rill/api/core/collections.h"
#include "rill/api/estimator/heads/metric_parts.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"

namespace rill::estimator {
namespace {

// Three metrics at a threshold, and the classes that gather them.
struct AtThreshold {
  const char *metric, *class_name;
};
constexpr AtThreshold kAtThresholds[] = {{metric_keys::ACCURACY, "BinaryAccuracy"},
                                         {metric_keys::PRECISION, "Precision"},
                                         {metric_keys::RECALL, "Recall"}};

}  // namespace

GatheredMetric gathered_area(const Objective& objective, const std::string& metric,
                             const char* curve) {
  return {objective.key(metric), "AUC", {.name = metric, .curve = curve}};
}

void gather_regularization(std::vector<GatheredMetric>& all, const Objective& objective,
                           bool regularized) {
  if (regularized) all.push_back(gathered_mean(objective, metric_keys::LOSS_REGULARIZATION));
}

void gather_at_thresholds(std::vector<GatheredMetric>& all, const Objective& objective,
                          const std::vector<double>& thresholds) {
  for (const double threshold : thresholds)
    for (const AtThreshold& kind : kAtThresholds) {
      const std::string key = objective.key(at_threshold(kind.metric, threshold));
      all.push_back(
          {key, kind.class_name, {.name = key, .threshold = threshold, .thresholds = {threshold}}});
    }
}

std::optional<Output> given_weights(const Measured& m) {
  if (!m.weights.is_output()) return {};
  return m.weights.output();
}

MetricUpdate updated_mean(const Objective& objective, const char* metric, Output given,
                          const Measured& m) {
  const Output values = cast(given, DType::f32);
  std::optional<Output> weights = given_weights(m);
  if (weights) weights = broadcast_weights(*weights, values);
  return {objective.key(metric), {values}, weights};
}

void update_regularization(std::vector<MetricUpdate>& all, const Objective& objective,
                           Output loss) {
  if (loss.node != nullptr)
    all.push_back({objective.key(metric_keys::LOSS_REGULARIZATION), {loss}, {}});
}

void update_at_thresholds(std::vector<MetricUpdate>& all, const Objective& objective,
                          const std::vector<double>& thresholds, const Measured& m,
                          Output predictions) {
  for (const double threshold : thresholds)
    for (const AtThreshold& kind : kAtThresholds)
      all.push_back({objective.key(at_threshold(kind.metric, threshold)),
                     {m.labels, predictions},
                     given_weights(m)});
}

Metrics gather(const std::vector<GatheredMetric>& gathered,
               const std::vector<MetricUpdate>& updates, const std::string& baseline,
               const std::string& baseline_of) {
  Metrics results;
  bool has_baseline = false;
  for (const GatheredMetric& described : gathered) {
    if (described.key == baseline) {
      has_baseline = true;
      continue;
    }
    const keras::MetricRef metric = keras::metrics::make(described.class_name, described.options);
    for (const Variable& variable : metric->variables())
      add_to_collection(GraphKeys::LOCAL_VARIABLES, variable.state());
    for (const MetricUpdate& update : updates)
      if (update.key == described.key) {
        Node& op = metric->update_state(update.values, update.weights);
        results[described.key] = {metric->result(), op};
      }
  }
  if (has_baseline) {
    const EvalMetric& mean = results.at(baseline_of);
    const auto at = std::source_location::current();
    const Output best = raw::Maximum(mean.value, operators::sub(1.0, mean.value, at));
    results[baseline] = {best, mean.update_op};
  }
  return results;
}

}  // namespace rill::estimator
