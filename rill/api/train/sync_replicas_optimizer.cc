#include "rill/api/train/sync_replicas_optimizer.h"

#include <algorithm>

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/queue/accumulators.h"
#include "rill/api/train/parts.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::train {
namespace {

// The device of a variable, where it has one.
std::optional<DeviceScope> on(const std::string& device) {
  if (device.empty()) return {};
  return std::optional<DeviceScope>(std::in_place, device);
}

}  // namespace

SyncReplicasOptimizer::SyncReplicasOptimizer(std::shared_ptr<Optimizer> optimizer,
                                             std::int64_t replicas_to_aggregate,
                                             const SyncReplicasOptions& options)
    : Optimizer(options.use_locking, options.name),
      optimizer_(std::move(optimizer)),
      replicas_to_aggregate_(replicas_to_aggregate),
      total_num_replicas_(options.total_num_replicas == 0 ? replicas_to_aggregate
                                                          : options.total_num_replicas),
      update_averages_(options.update_averages) {}

std::vector<GradientAndVariable> SyncReplicasOptimizer::compute_gradients(
    Output loss, const ComputeGradientsOptions& options, std::source_location at) {
  return optimizer_->compute_gradients(loss, options, at);
}

std::vector<Node*> SyncReplicasOptimizer::add_gradients(
    const std::vector<GradientAndVariable>& grads_and_vars,
    std::vector<GradientAndVariable>& aggregated) {
  std::vector<Node*> added;
  const auto keep = [&](auto accumulator, const std::string& device) {
    set_steps_.push_back([accumulator, device, step = global_step_]() mutable -> Node& {
      const auto there = on(device);
      return accumulator.set_global_step(step, {.name = "SetGlobalStep"});
    });
  };
  for (const auto& [gradient, variable] : grads_and_vars) {
    const auto there = on(variable.device());
    if (gradient.empty()) {
      aggregated.push_back({{}, variable});
      continue;
    }
    AccumulatorOptions options{.shared_name = variable.name() + "/grad_accum"};
    if (!gradient.is_slices()) {
      options.shape = variable.shape();
      ConditionalAccumulator sum(base_type(gradient.dense().dtype()), options);
      added.push_back(&sum.apply_grad(gradient.dense(), {.local_step = local_step_}));
      aggregated.push_back({sum.take_grad(replicas_to_aggregate_), variable});
      keep(sum, variable.device());
    } else {
      options.shape = PartialShape::scalar();
      SparseConditionalAccumulator sum(base_type(gradient.slices().values.dtype()), options);
      added.push_back(
          &sum.apply_indexed_slices_grad(gradient.slices(), {.local_step = local_step_}));
      aggregated.push_back({sum.take_indexed_slices_grad(replicas_to_aggregate_), variable});
      keep(sum, variable.device());
    }
  }
  return added;
}

Node& SyncReplicasOptimizer::hand_out_tokens(std::int64_t count) {
  const Output step =
      raw::Fill(Tensor::vector<std::int32_t>({static_cast<std::int32_t>(count)}), global_step_);
  return tokens_->enqueue_many({step});
}

Node& SyncReplicasOptimizer::apply_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                                             const ApplyGradientsOptions& options,
                                             std::source_location at) {
  require(!grads_and_vars.empty(), "Must supply at least one variable");
  require(bool(options.global_step), "Global step is required to check staleness");
  const MadeAt made(at);
  global_step_ = options.global_step;
  set_steps_.clear();
  {
    const ColocateWith beside(no_op());
    local_step_ = Variable(0, {.trainable = false,
                               .collections = {{GraphKeys::LOCAL_VARIABLES}},
                               .dtype = global_step_.dtype(),
                               .name = "sync_rep_local_step"});
  }
  local_step_init_ = local_step_.assign(global_step_, {.use_locking = true});
  ready_for_local_init_ = report_uninitialized_variables(global_variables());
  const Block in("", name_, at);
  std::vector<GradientAndVariable> aggregated;
  const std::vector<Node*> added = add_gradients(grads_and_vars, aggregated);
  Node* train_op = nullptr;
  {
    const auto there = on(global_step_.device());
    const NameScope root("");
    Node* const updated = &optimizer_->apply_gradients(aggregated, {.global_step = global_step_});
    tokens_.emplace(-1, std::vector<DType>{global_step_.dtype()},
                    queue::QueueOptions{.shapes = {PartialShape::scalar()},
                                        .shared_name = "sync_token_q",
                                        .name = "sync_token_q"});
    Output token;
    {
      const ControlDependencies all(added);
      token = tokens_->dequeue()[0];
    }
    train_op = &write_of(local_step_, local_step_.assign(token, {.use_locking = true}));
    Node* handed_out = nullptr;
    {
      const ControlDependencies after(std::span(&updated, 1));
      handed_out = &hand_out_tokens(std::max(total_num_replicas_, replicas_to_aggregate_));
    }
    if (update_averages_) {
      const ControlDependencies after(std::span(&handed_out, 1));
      handed_out = &update_averages_();
    }
    chief_queue_runner_ =
        std::make_shared<QueueRunner>(*tokens_, std::vector<Runnable>{*handed_out});
  }
  std::vector<Node*> chief_init{local_step_init_.node};
  for (const auto& set_step : set_steps_) chief_init.push_back(&set_step());
  chief_init_ = &group_all(chief_init);
  return *train_op;
}

void SyncReplicasOptimizer::require_applied(const char* what) const {
  require(chief_init_ != nullptr, what, " should be called after apply_gradients().");
}

std::shared_ptr<QueueRunner> SyncReplicasOptimizer::get_chief_queue_runner() const {
  require(chief_init_ != nullptr, "Should be called after apply_gradients().");
  return chief_queue_runner_;
}

Node& SyncReplicasOptimizer::get_init_tokens_op(std::int64_t num_tokens, std::source_location at) {
  require_applied("get_init_tokens_op()");
  const MadeAt made(at);
  const std::int64_t needed = replicas_to_aggregate_ - total_num_replicas_;
  if (num_tokens == -1) num_tokens = replicas_to_aggregate_;
  require(num_tokens >= needed, "Too few tokens to finish the first step: ", num_tokens,
          " (given) vs ", needed, " (needed)");
  if (num_tokens == 0) return no_op({.name = "no_init_tokens"});
  const auto there = on(global_step_.device());
  const NameScope root("");
  return hand_out_tokens(num_tokens);
}

Output SyncReplicasOptimizer::local_step_init_op() const {
  require_applied("local_step_init_op");
  return local_step_init_;
}

Node& SyncReplicasOptimizer::chief_init_op() const {
  require_applied("chief_init_op");
  return *chief_init_;
}

Output SyncReplicasOptimizer::ready_for_local_init_op() const {
  require_applied("ready_for_local_init_op");
  return ready_for_local_init_;
}

}  // namespace rill::train
