#pragma once

#include "rill/api/estimator/heads/single_head.h"

namespace rill::estimator {

// Descriptions of metrics of tf.keras, for heads of the second generation.

inline GatheredMetric gathered_mean(const Objective& objective, const char* metric) {
  return {objective.key(metric), "Mean", {.name = metric}};
}
GatheredMetric gathered_area(const Objective& objective, const std::string& metric,
                             const char* curve);
// The means of the loss, and of the regularization loss where there is one.
void gather_regularization(std::vector<GatheredMetric>& all, const Objective& objective,
                           bool regularized);
void gather_at_thresholds(std::vector<GatheredMetric>& all, const Objective& objective,
                          const std::vector<double>& thresholds);

// Updates of these; weights of 1 are left out.
std::optional<Output> given_weights(const Measured& m);
MetricUpdate updated_mean(const Objective& objective, const char* metric, Output values,
                          const Measured& m);
void update_regularization(std::vector<MetricUpdate>& all, const Objective& objective, Output loss);
void update_at_thresholds(std::vector<MetricUpdate>& all, const Objective& objective,
                          const std::vector<double>& thresholds, const Measured& m,
                          Output predictions);

}  // namespace rill::estimator
