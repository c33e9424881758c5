#pragma once

#include "rill/api/estimator/heads/single_head.h"

namespace rill::estimator {

// The metrics that heads of the first generation have in common. All build in current_scope().

// Of labels or predictions, with weights for each of them. `name` is the scope, `inner` what the
// numbers are called as float32.
EvalMetric mean_of(Output values, const Input& weights, const char* name, const char* inner);
EvalMetric area(const Measured& m, Output labels, Output predictions, const char* curve,
                const std::string& name);
EvalMetric plain(const metrics::Metric& metric);
EvalMetric baseline_of(const EvalMetric& labels_mean, std::source_location at);

// Accuracy, precision and recall where predictions count from this threshold on.
void add_at_thresholds(Metrics& metrics, const Objective& objective, const Measured& m,
                       Output predictions, const std::vector<double>& thresholds);
void add_regularization(Metrics& metrics, const Objective& objective, Output loss);

// "accuracy/positive_threshold_0.25"
std::string at_threshold(const char* metric, double threshold);

}  // namespace rill::estimator
