#include "rill/api/train/moving_average_optimizer.h"

namespace rill::train {

MovingAverageOptimizer::MovingAverageOptimizer(std::shared_ptr<Optimizer> optimizer,
                                               const MovingAverageOptimizerOptions& options)
    : Optimizer(false, optimizer->get_name()),
      optimizer_(std::move(optimizer)),
      averages_(options.average_decay, {.num_updates = options.num_updates}),
      sequential_(options.sequential_update) {}

std::vector<GradientAndVariable> MovingAverageOptimizer::compute_gradients(
    Output loss, const ComputeGradientsOptions& options, std::source_location at) {
  return optimizer_->compute_gradients(loss, options, at);
}

Node& MovingAverageOptimizer::apply_gradients(
    const std::vector<GradientAndVariable>& grads_and_vars, const ApplyGradientsOptions& options,
    std::source_location at) {
  Node* const updated = &optimizer_->apply_gradients(grads_and_vars, options, at);
  std::vector<ExponentialMovingAverage::Averaged> changed;
  for (const auto& item : grads_and_vars)
    if (!item.gradient.empty()) changed.emplace_back(item.variable);
  Node* averaged = nullptr;
  if (sequential_) {
    const ControlDependencies after(std::span(&updated, 1));
    averaged = &averages_.apply(changed, at);
  } else {
    averaged = &averages_.apply(changed, at);
  }
  return group_all({updated, averaged}, "train_with_avg");
}

}  // namespace rill::train
