#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/train/optimizer.h"

namespace rill::contrib::layers {

// Makes an optimizer with that learning rate:
//   [](tf::Input rate) { return std::make_unique<tf::train::AdamOptimizer>(rate); }
using MakeOptimizer = std::function<std::unique_ptr<train::Optimizer>(const Input& learning_rate)>;

// Gradients are changed in this order: noise (truncated normal, times the scale), multipliers by
// the names of variables, clipping. "global_gradient_norm" is that before clipping. `summaries`
// knows the three of its default; other names are ignored.
struct OptimizeLossOptions {
  std::optional<double> gradient_noise_scale{};          // noise, normally distributed
  std::map<std::string, double> gradient_multipliers{};  // by the names of variables
  std::optional<double> clip_gradients{};                // their global norm is at most this
  std::function<Output(Output learning_rate, const Variable& global_step)> learning_rate_decay_fn{};
  std::optional<std::vector<Node*>> update_ops{};    // those of UPDATE_OPS when absent
  std::optional<std::vector<Variable>> variables{};  // the trainable ones when absent
  std::string name{};                                // of the scope; "OptimizeLoss"
  std::vector<std::string> summaries = {"loss", "learning_rate", "global_gradient_norm"};
  bool increment_global_step = true;
};
// The loss, which is there only after one step of training, so that running it trains:
//
//   Output train = optimize_loss(loss, step, 0.1, [](const Input& rate) {
//     return std::make_unique<train::GradientDescentOptimizer>(rate); });
//
// Update ops, such as those of batch_norm, run before the loss. The learning rate is a variable
// "learning_rate" of the scope, which programs may change and checkpoints keep. Throws
// InvalidArgument when it is negative, the loss is no scalar, or a decay function is given without
// a global step.
Output optimize_loss(Output loss, const Variable& global_step, double learning_rate,
                     const MakeOptimizer& optimizer, const OptimizeLossOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
