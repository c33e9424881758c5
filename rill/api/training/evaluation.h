#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/api/training/evaluation_hooks.h"
#include "rill/api/training/monitored_session.h"

// tf.contrib.training: loops around training and evaluation.
namespace rill::contrib::training {

using train::HookRef;
using train::Runnable;

struct EvaluateOptions {
  std::string master = {};
  train::ScaffoldRef scaffold = {};
  std::vector<Runnable> eval_ops = {};  // run until a hook stops it; none: nothing is
  std::vector<Feed> feed_dict = {};
  std::vector<Runnable> final_ops = {};  // run once, after them
  std::vector<Feed> final_ops_feed_dict = {};
  std::vector<HookRef> hooks = {};  // such as StopAfterNEvalsHook
  SessionOptions config = {};
  train::OpenSession open = {};
};
// Evaluates the model of the default graph with the values of a checkpoint. Returns the values of
// final_ops, empty ones for operations. Without a StopAfterNEvalsHook it runs until the input ends.
std::vector<Tensor> evaluate_once(const std::string& checkpoint_path,
                                  const EvaluateOptions& options = {});

struct EvaluateRepeatedlyOptions {
  std::string master = {};
  train::ScaffoldRef scaffold = {};
  std::vector<Runnable> eval_ops = {};  // run until a hook stops it; none: nothing is
  std::vector<Feed> feed_dict = {};
  std::vector<Runnable> final_ops = {};  // run once, after them
  std::vector<Feed> final_ops_feed_dict = {};
  std::vector<HookRef> hooks = {};  // such as StopAfterNEvalsHook
  SessionOptions config = {};
  train::OpenSession open = {};
  double eval_interval_secs = 60;  // at least, between the beginnings of two evaluations
  std::optional<std::int64_t> max_number_of_evaluations = {};  // none: until the timeout
  std::optional<double> timeout = {};  // seconds to wait for a new checkpoint; none: for ever
  // Asked when the timeout is over; true ends the loop. None: it ends.
  std::function<bool()> timeout_fn = {};
  std::function<void()> while_waiting = {};  // called now and then; what it throws ends the loop

  operator EvaluateOptions() const {
    return {.master = master,
            .scaffold = scaffold,
            .eval_ops = eval_ops,
            .feed_dict = feed_dict,
            .final_ops = final_ops,
            .final_ops_feed_dict = final_ops_feed_dict,
            .hooks = hooks,
            .config = config,
            .open = open};
  }
};
// The same for every new checkpoint of a directory. Returns the values of the last evaluation.
std::vector<Tensor> evaluate_repeatedly(const std::string& checkpoint_dir,
                                        const EvaluateRepeatedlyOptions& options = {});

// Others than the chief wait for it, at most max_wait_secs. chief_only_hooks are the chief's alone.
struct TrainOptions {
  std::string master = {};
  bool is_chief = true;
  train::ScaffoldRef scaffold = {};
  std::vector<HookRef> hooks = {}, chief_only_hooks = {};
  double save_checkpoint_secs = 600;        // 0: never
  std::int64_t save_summaries_steps = 100;  // 0: never
  SessionOptions config = {};
  double max_wait_secs = 7200;
  train::OpenSession open = {};
};
// Runs `train_op` until a hook stops it. Returns its last value. Throws InvalidArgument where
// something is to be saved and there is no directory.
Tensor train(Output train_op, const std::string& logdir, const TrainOptions& options = {});

}  // namespace rill::contrib::training
