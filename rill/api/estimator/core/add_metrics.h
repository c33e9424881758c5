#pragma once

#include "rill/api/estimator/core/estimator.h"

namespace rill::estimator {

// More metrics for what a model predicts.
using MetricFn = std::function<std::map<std::string, EvalMetric>(
    const InputBatch& batch, const std::map<std::string, Output>& predictions)>;

// An estimator with the same model, directory and configuration that evaluates these, too; metrics
// of the same name take the place of the model's. `estimator` must live as long.
std::unique_ptr<Estimator> add_metrics(const Estimator& estimator, MetricFn metric_fn);

}  // namespace rill::estimator
