#pragma once

#include <memory>

#include "rill/api/train/sync_replicas_optimizer.h"
#include "rill/api/training/session_run_hook.h"

namespace rill::train {

// Does all that a SyncReplicasOptimizer needs before the first step: initialises its local step,
// hands out the first tokens and starts its queue runner.
class SyncReplicasOptimizerHook : public SessionRunHook {
 public:
  // -1: as many tokens as there are gradients to wait for. The optimizer must live until begin().
  SyncReplicasOptimizerHook(SyncReplicasOptimizer& optimizer, bool is_chief,
                            std::int64_t num_tokens = -1)
      : optimizer_(optimizer), is_chief_(is_chief), num_tokens_(num_tokens) {}

  // Throws InvalidArgument before apply_gradients.
  void begin() override;
  void after_create_session(Session& session, Coordinator& coord) override;

 private:
  SyncReplicasOptimizer& optimizer_;
  const bool is_chief_;
  const std::int64_t num_tokens_;
  Runnable local_init_op_;
  Output ready_for_local_init_op_;
  Node* init_tokens_op_ = nullptr;
  std::shared_ptr<QueueRunner> queue_runner_;
};

}  // namespace rill::train
