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
// The loss, which is there only after one step of training. The learning rate is a variable, which
// programs may change. Throws InvalidArgument when it is negative or the loss is no scalar.
Output optimize_loss(Output loss, const Variable& global_step, double learning_rate,
                     const MakeOptimizer& optimizer, const OptimizeLossOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
