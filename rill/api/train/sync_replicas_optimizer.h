#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rill/api/queue/queues.h"
#include "rill/api/train/optimizer.h"
#include "rill/api/train/queue_runner.h"

namespace rill::train {

class SessionRunHook;

struct SyncReplicasOptions {
  std::int64_t total_num_replicas = 0;  // 0: as many as are aggregated
  // Makes the operation that updates averages of variables; it runs after every update.
  std::function<Node&()> update_averages;
  bool use_locking = false;
  std::string name = "sync_replicas";
};

// Trains with another optimizer once the gradients of enough replicas have come, and lets all of
// them go on together: each waits for a token, which the chief's queue runner hands out with the
// number of the step. Gradients of earlier steps are dropped. More replicas than are aggregated are
// spares: the slowest ones of a step are not waited for.
//
//   SyncReplicasOptimizer sync(std::make_shared<AdamOptimizer>(), 4, {.total_num_replicas = 5});
//   Node& train_op = sync.minimize(loss, {.global_step = get_or_create_global_step()});
//   auto hook = sync.make_session_run_hook(is_chief);
class SyncReplicasOptimizer : public Optimizer {
 public:
  SyncReplicasOptimizer(std::shared_ptr<Optimizer> optimizer, std::int64_t replicas_to_aggregate,
                        const SyncReplicasOptions& options = {});

  std::vector<GradientAndVariable> compute_gradients(
      Output loss, const ComputeGradientsOptions& options = {},
      std::source_location at = std::source_location::current()) override;
  // Gives the gradients to accumulators and waits for a token. Throws InvalidArgument without
  // gradients or without a global step.
  Node& apply_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                        const ApplyGradientsOptions& options = {},
                        std::source_location at = std::source_location::current()) override;
  Variable get_slot(const Variable& var, const std::string& name) const override {
    return optimizer_->get_slot(var, name);
  }
  std::vector<std::string> get_slot_names() const override { return optimizer_->get_slot_names(); }
  std::vector<Variable> variables() const override { return optimizer_->variables(); }

  // What follows is there after apply_gradients; before that it throws InvalidArgument.
  std::shared_ptr<QueueRunner> get_chief_queue_runner() const;
  // The tokens that the first step needs; -1: as many as there are gradients to wait for. Throws
  // InvalidArgument for fewer than the replicas that are missing, as no step would ever end.
  Node& get_init_tokens_op(std::int64_t num_tokens = -1,
                           std::source_location at = std::source_location::current());
  Output local_step_init_op() const;  // for replicas that are not the chief
  Node& chief_init_op() const;
  Output ready_for_local_init_op() const;
  // Does all that has to be done before the first step. This object must live until it begins.
  std::shared_ptr<SessionRunHook> make_session_run_hook(bool is_chief,
                                                        std::int64_t num_tokens = -1);
  bool is_applied() const { return chief_init_ != nullptr; }

 private:
  void require_applied(const char* what) const;
  std::vector<Node*> add_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                                   std::vector<GradientAndVariable>& aggregated);
  Node& hand_out_tokens(std::int64_t count);

  std::shared_ptr<Optimizer> optimizer_;
  std::int64_t replicas_to_aggregate_, total_num_replicas_;
  std::function<Node&()> update_averages_;

  Variable global_step_, local_step_;
  Output local_step_init_, ready_for_local_init_;
  Node* chief_init_ = nullptr;
  std::optional<queue::FIFOQueue> tokens_;
  std::shared_ptr<QueueRunner> chief_queue_runner_;
  // Tell the accumulators of the gradients which step it is.
  std::vector<std::function<Node&()>> set_steps_;
};

}  // namespace rill::train
