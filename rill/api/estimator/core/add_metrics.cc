#include "rill/api/estimator/core/add_metrics.h"

namespace rill::estimator {

std::unique_ptr<Estimator> add_metrics(const Estimator& estimator, MetricFn metric_fn) {
  ModelFn with_metrics = [&estimator, metric_fn = std::move(metric_fn)](
                             const InputBatch& batch, Mode mode, const RunConfig& config) {
    EstimatorSpec spec = estimator.model_fn()(batch, mode, config);
    if (mode == Mode::kEval)
      for (auto& [name, metric] : metric_fn(batch, spec.predictions))
        spec.eval_metric_ops[name] = metric;
    return spec;
  };
  return std::make_unique<Estimator>(
      std::move(with_metrics),
      EstimatorOptions{.config = estimator.config(),
                       .warm_start_from = estimator.warm_start_settings()});
}

}  // namespace rill::estimator
