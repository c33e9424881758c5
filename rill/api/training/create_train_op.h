#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/train/optimizer.h"

// tf.contrib.training: the operation that training loops run.
namespace rill::contrib::training {

using train::GradientAndVariable;
using Gradients = std::vector<GradientAndVariable>;

struct CreateTrainOpOptions {
  Variable global_step = {};  // none: the graph's, which is made where there is none
  bool counts_steps = true;   // false: without a global step
  std::optional<std::vector<Node*>> update_ops = {};             // those of UPDATE_OPS when absent
  std::optional<std::vector<Variable>> variables_to_train = {};  // the trainable ones when absent
  std::function<Gradients(Gradients)> transform_grads_fn = {};
  bool summarize_gradients = false;
  train::GateGradients gate_gradients = train::GateGradients::kOp;
  Aggregation aggregation_method = Aggregation::kAddN;
  bool colocate_gradients_with_ops = false;
  bool check_numerics = true;  // the step fails where the loss is no number
};
// The loss, which is there only after the updates and one step of the optimizer: to run it is to
// train. Throws InvalidArgument without variables.
Output create_train_op(Output total_loss, train::Optimizer& optimizer,
                       const CreateTrainOpOptions& options = {},
                       std::source_location at = std::source_location::current());

// None of the gradients is longer than `max_norm`; each is scaled by itself. Empty ones stay.
Gradients clip_gradient_norms(Gradients grads_and_vars, double max_norm);
// Gradients times what is said for the names of their variables. Throws InvalidArgument where there
// is no gradient to multiply.
Gradients multiply_gradients(Gradients grads_and_vars,
                             const std::map<std::string, double>& gradient_multipliers);
// Histograms and lengths of the gradients.
std::vector<Output> add_gradients_summaries(const Gradients& grads_and_vars);

}  // namespace rill::contrib::training
