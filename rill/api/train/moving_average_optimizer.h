#pragma once

#include <map>
#include <memory>

#include "rill/api/train/moving_averages.h"
#include "rill/api/train/optimizer.h"

namespace rill::train {

struct MovingAverageOptimizerOptions {
  Input average_decay = 0.9999;
  OptionalInput num_updates = {};
  bool sequential_update = true;  // averages are updated after the variables
};

// Trains with another optimizer and keeps moving averages of the variables that it changed. Each
// variable may be in one apply_gradients only, as its average is made there.
class MovingAverageOptimizer : public Optimizer {
 public:
  explicit MovingAverageOptimizer(std::shared_ptr<Optimizer> optimizer,
                                  const MovingAverageOptimizerOptions& options = {});
  std::vector<GradientAndVariable> compute_gradients(
      Output loss, const ComputeGradientsOptions& options = {},
      std::source_location at = std::source_location::current()) override;
  Node& apply_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                        const ApplyGradientsOptions& options = {},
                        std::source_location at = std::source_location::current()) override;
  // None before apply_gradients.
  Variable average(const Variable& var) const { return averages_.average(var); }

 private:
  std::shared_ptr<Optimizer> optimizer_;
  ExponentialMovingAverage averages_;
  bool sequential_;
};

}  // namespace rill::train
