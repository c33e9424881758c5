#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "rill/api/training/session_run_hook.h"
#include "rill/api/training/tensor_or_name.h"

namespace rill::train {

// What NanTensorHook throws.
class NanLossDuringTrainingError : public std::runtime_error {
 public:
  NanLossDuringTrainingError() : std::runtime_error("NaN loss during training.") {}
};

// Fails, or stops, when the loss is no number. Infinity is a number here.
class NanTensorHook : public SessionRunHook {
 public:
  explicit NanTensorHook(TensorOrName loss_tensor, bool fail_on_nan_loss = true)
      : loss_tensor_(std::move(loss_tensor)), fails_(fail_on_nan_loss) {}
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;

 private:
  const TensorOrName loss_tensor_;
  const bool fails_;
  Output loss_;  // once a step was asked for it
};

// Feeds what a function gives for every step. It is called once before each, in the same thread.
class FeedFnHook : public SessionRunHook {
 public:
  using FeedFn = std::function<std::vector<Feed>()>;
  explicit FeedFnHook(FeedFn feed_fn) : feed_fn_(std::move(feed_fn)) {}
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;

 private:
  const FeedFn feed_fn_;
};

// Calls a function at the end of the session.
class EndHook : public SessionRunHook {
 public:
  using EndFn = std::function<void(Session&)>;
  explicit EndHook(EndFn end_fn) : end_fn_(std::move(end_fn)) {}
  void end(Session& session) override { end_fn_(session); }

 private:
  const EndFn end_fn_;
};

// Runs operations and tensors once, at the end of the session. They must not need input that has
// ended.
class FinalOpsHook : public SessionRunHook {
 public:
  explicit FinalOpsHook(std::vector<Runnable> final_ops, std::vector<Feed> final_ops_feed_dict = {})
      : ops_(std::move(final_ops)), feeds_(std::move(final_ops_feed_dict)) {}
  void end(Session& session) override;
  // In the order of final_ops; empty ones for operations. Nothing before the end.
  const std::vector<Tensor>& final_ops_values() const { return values_; }
  static void warn_of_input();  // that the operations read from an input which has ended

 private:
  const std::vector<Runnable> ops_;
  const std::vector<Feed> feeds_;
  std::vector<Tensor> values_;
};

}  // namespace rill::train
