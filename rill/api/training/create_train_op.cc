#include "rill/api/training/create_train_op.h"

#include <algorithm>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/collections.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/debugging/numerics.h"
#include "rill/api/gen/array.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/math/operators.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/global_step.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::contrib::training {
namespace {

// Operations and makers of tensors of UPDATE_OPS, each once, by name.
std::vector<Node*> update_ops_of(const CreateTrainOpOptions& options) {
  std::vector<Node*> nodes;
  if (options.update_ops) nodes = *options.update_ops;
  if (!options.update_ops)
    for (const CollectionItem& item : get_collection(GraphKeys::UPDATE_OPS)) {
      if (const auto* node = std::get_if<Node*>(&item)) nodes.push_back(*node);
      if (const auto* tensor = std::get_if<Output>(&item)) nodes.push_back(tensor->node);
    }
  std::ranges::sort(nodes, {}, [](const Node* node) { return node->name(); });
  const auto same = std::ranges::unique(nodes);
  nodes.erase(same.begin(), same.end());
  return nodes;
}

Output after_updates(Output loss, const std::vector<Node*>& updates) {
  Node* barrier = nullptr;
  {
    const ControlDependencies all(updates);
    barrier = &no_op({.name = "update_barrier"});
  }
  const ControlDependencies after(std::span(&barrier, 1));
  return raw::Identity(loss);
}

Gradient multiplied(const Gradient& gradient, double factor) {
  if (!gradient.is_slices()) return gradient.dense() * factor;
  IndexedSlices slices = gradient.slices();
  slices.values = slices.values * factor;
  return slices;
}

Output values_of(const Gradient& gradient) {
  return gradient.is_slices() ? gradient.slices().values : gradient.dense();
}

}  // namespace

Output create_train_op(Output total_loss, train::Optimizer& optimizer,
                       const CreateTrainOpOptions& options, std::source_location at) {
  const MadeAt made(at);
  Variable step = options.global_step;
  if (!step && options.counts_steps) step = train::get_or_create_global_step();
  if (!options.counts_steps) step = Variable();
  if (const auto updates = update_ops_of(options); !updates.empty())
    total_loss = after_updates(total_loss, updates);
  const auto variables =
      options.variables_to_train ? *options.variables_to_train : trainable_variables();
  require(!variables.empty(), "there are no variables to train");
  Gradients gradients = optimizer.compute_gradients(
      total_loss, {.var_list = variables,
                   .gate_gradients = options.gate_gradients,
                   .aggregation_method = options.aggregation_method,
                   .colocate_gradients_with_ops = options.colocate_gradients_with_ops});
  if (options.transform_grads_fn) gradients = options.transform_grads_fn(std::move(gradients));
  if (options.summarize_gradients) {
    const NameScope scope("summarize_grads");
    add_gradients_summaries(gradients);
  }
  Node* const update = &optimizer.apply_gradients(gradients, {.global_step = step});
  const NameScope scope("train_op");
  if (options.check_numerics) total_loss = check_numerics(total_loss, "LossTensor is inf or nan");
  const ColocateWith beside(*total_loss.node);
  const ControlDependencies after(std::span(&update, 1));
  const Output train_op = raw::Identity(total_loss, {.name = "control_dependency"});
  add_to_collection(GraphKeys::TRAIN_OP, train_op);
  return train_op;
}

Gradients clip_gradient_norms(Gradients grads_and_vars, double max_norm) {
  for (GradientAndVariable& pair : grads_and_vars)
    if (!pair.gradient.empty()) pair.gradient = clip_by_norm(pair.gradient, max_norm);
  return grads_and_vars;
}

Gradients multiply_gradients(Gradients grads_and_vars,
                             const std::map<std::string, double>& gradient_multipliers) {
  require(!gradient_multipliers.empty(), "`gradient_multipliers` is empty.");
  for (auto& [gradient, variable] : grads_and_vars) {
    const auto found = gradient_multipliers.find(variable.op().name());
    if (found == gradient_multipliers.end()) continue;
    require(!gradient.empty(), "Requested multiple of `None` gradient: ", variable.name());
    gradient = multiplied(gradient, found->second);
  }
  return grads_and_vars;
}

std::vector<Output> add_gradients_summaries(const Gradients& grads_and_vars) {
  std::vector<Output> all;
  for (const auto& [gradient, variable] : grads_and_vars) {
    if (gradient.empty()) {
      logging::info("Var ", variable.op().name(), " has no gradient");
      continue;
    }
    const Output values = values_of(gradient);
    const std::string& name = variable.op().name();
    all.push_back(summaries::histogram(name + "_gradient", values));
    all.push_back(summaries::scalar(name + "_gradient_norm", global_norm({values})));
  }
  return all;
}

}  // namespace rill::contrib::training
