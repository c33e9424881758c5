#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/train/optimizer.h"

// tf.train.experimental: gradients of half-precision models are computed of a loss that is
// multiplied by a large number, so that small ones do not become zero.
namespace rill::train::experimental {

// The number. Variables are made in the default graph by the constructor.
class LossScale {
 public:
  virtual ~LossScale() = default;
  virtual Output operator()() = 0;  // a float scalar
  // What to run after each step, and whether the gradients of this one may be applied. Empty
  // gradients do not count.
  virtual std::pair<Node*, Output> update(const std::vector<Gradient>& grads) = 0;
};
using LossScaleRef = std::shared_ptr<LossScale>;

// Always the same. Throws InvalidArgument for a number below 1.
class FixedLossScale : public LossScale {
 public:
  explicit FixedLossScale(double loss_scale_value);
  Output operator()() override;
  std::pair<Node*, Output> update(const std::vector<Gradient>& grads) override;

 private:
  double value_;
};

struct DynamicLossScaleOptions {
  double initial_loss_scale = 32768;  // 2^15
  std::int64_t increment_period = 2000;
  double multiplier = 2.0;
};
// As large as it can be: multiplied after so many steps whose gradients were finite, divided, not
// below 1, after one whose were not, which is left out.
class DynamicLossScale : public LossScale {
 public:
  explicit DynamicLossScale(const DynamicLossScaleOptions& options = {});
  Output operator()() override;
  std::pair<Node*, Output> update(const std::vector<Gradient>& grads) override;
  Variable current_loss_scale, num_good_steps;

 private:
  DynamicLossScaleOptions options_;
};

// Trains with another optimizer and a scaled loss; the gradients that it gives are of the loss
// itself. A step whose gradients are not finite changes no variable.
class MixedPrecisionLossScaleOptimizer : public Optimizer {
 public:
  MixedPrecisionLossScaleOptimizer(std::shared_ptr<Optimizer> opt, LossScaleRef loss_scale);
  std::vector<GradientAndVariable> compute_gradients(
      Output loss, const ComputeGradientsOptions& options = {},
      std::source_location at = std::source_location::current()) override;
  Node& apply_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                        const ApplyGradientsOptions& options = {},
                        std::source_location at = std::source_location::current()) override;
  Variable get_slot(const Variable& var, const std::string& name) const override;
  std::vector<std::string> get_slot_names() const override;

 private:
  std::shared_ptr<Optimizer> optimizer_;
  LossScaleRef scale_;
};

}  // namespace rill::train::experimental
