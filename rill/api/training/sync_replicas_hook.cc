#include "rill/api/training/sync_replicas_hook.h"

#include "rill/api/train/misuse.h"
#include "rill/base/error.h"

namespace rill::train {

void SyncReplicasOptimizerHook::begin() {
  if (!optimizer_.is_applied())
    misuse(Code::kInvalidArgument,
           "SyncReplicasOptimizer.apply_gradient should be called before using the hook.");
  local_init_op_ =
      is_chief_ ? Runnable(optimizer_.chief_init_op()) : Runnable(optimizer_.local_step_init_op());
  ready_for_local_init_op_ = optimizer_.ready_for_local_init_op();
  queue_runner_.reset();
  init_tokens_op_ = nullptr;
  if (!is_chief_) return;
  queue_runner_ = optimizer_.get_chief_queue_runner();
  init_tokens_op_ = &optimizer_.get_init_tokens_op(num_tokens_);
}

void SyncReplicasOptimizerHook::after_create_session(Session& session, Coordinator& coord) {
  const Tensor missing = session.run(ready_for_local_init_op_);
  if (missing.element_count() > 0) {
    const auto names = missing.flat<std::string>();
    misuse(
        Code::kFailedPrecondition,
        "Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: ",
        local_init_op_.name(),
        ", error: Variables not initialized: ", join({names.begin(), names.end()}, ", "));
  }
  local_init_op_.run(session);
  if (!is_chief_) return;
  session.run(*init_tokens_op_);
  queue_runner_->create_threads(session, &coord, {.start = true});
}

HookRef SyncReplicasOptimizer::make_session_run_hook(bool is_chief, std::int64_t num_tokens) {
  return std::make_shared<SyncReplicasOptimizerHook>(*this, is_chief, num_tokens);
}

}  // namespace rill::train
