#include "rill/api/training/evaluation.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <limits>
#include <thread>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/train/misuse.h"
#include "rill/api/training/value_hooks.h"
#include "rill/base/blocking.h"
#include "rill/base/clock.h"

namespace rill::contrib::training {
namespace {

std::string local_time(const char* format) {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  localtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

std::string wait_text(double secs) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5fs", secs);
  return text;
}

// The loop around a monitored session, once the operations are complete.
void run_evaluation(const std::string& checkpoint_path, const EvaluateOptions& options,
                    const std::vector<Runnable>& eval_ops, const std::vector<HookRef>& hooks) {
  logging::info("Starting evaluation at ", local_time("%Y-%m-%dT%H:%M:%S"));
  const double start = wall_seconds();
  SessionOptions config = options.config;
  if (!options.master.empty()) config.target = options.master;
  const auto creator = std::make_shared<train::ChiefSessionCreator>(
      train::SessionCreatorOptions{.scaffold = options.scaffold,
                                   .config = config,
                                   .checkpoint_filename_with_path = checkpoint_path,
                                   .open = options.open});
  train::MonitoredSession session({.session_creator = creator, .hooks = hooks});
  if (eval_ops.empty()) {
    session.close();
  } else {
    const train::SessionRunArgs args{.fetches = eval_ops, .feed_dict = options.feed_dict};
    session.run_until_stop([&](train::MonitoredSession& running) { running.run(args); });
  }
  logging::info("Inference Time : ", wait_text(wall_seconds() - start));
  logging::info("Finished evaluation at ", local_time("%Y-%m-%d-%H:%M:%S"));
}

// Counts the evaluations, where there are any.
std::vector<Runnable> counted(const EvaluateOptions& options) {
  std::vector<Runnable> ops = options.eval_ops;
  if (ops.empty())
    train::get_or_create_eval_step();
  else
    ops.push_back(train::count_evaluations(ops, options.hooks));
  return ops;
}

std::vector<Tensor> evaluate_counted(const std::string& checkpoint_path,
                                     const EvaluateOptions& options,
                                     const std::vector<Runnable>& eval_ops) {
  const auto last =
      std::make_shared<train::FinalOpsHook>(options.final_ops, options.final_ops_feed_dict);
  std::vector<HookRef> hooks = options.hooks;
  hooks.push_back(last);
  run_evaluation(checkpoint_path, options, eval_ops, hooks);
  return last->final_ops_values();
}

void pause(double secs) {
  const Blocking others_run;
  std::this_thread::sleep_for(std::chrono::duration<double>(secs));
}

// Waits in short pieces, so that the program can be interrupted.
std::optional<std::string> next_checkpoint(const std::string& directory, const std::string& seen,
                                           const EvaluateRepeatedlyOptions& options) {
  constexpr double kPiece = 1;
  double left = options.timeout.value_or(std::numeric_limits<double>::infinity());
  while (true) {
    std::optional<std::string> found;
    {
      const Blocking others_run;
      found = train::wait_for_new_checkpoint(
          directory, seen,
          {.seconds_to_sleep = std::min(left, kPiece) / 4, .timeout = std::min(left, kPiece)});
    }
    if (found) return found;
    if (options.while_waiting) options.while_waiting();
    left -= kPiece;
    if (left <= 0) return {};
  }
}

}  // namespace

std::vector<Tensor> evaluate_once(const std::string& checkpoint_path,
                                  const EvaluateOptions& options) {
  return evaluate_counted(checkpoint_path, options, counted(options));
}

std::vector<Tensor> evaluate_repeatedly(const std::string& checkpoint_dir,
                                        const EvaluateRepeatedlyOptions& options) {
  const std::vector<Runnable> eval_ops = counted(options);
  std::vector<Tensor> values;
  std::string seen;
  std::int64_t count = 0;
  while (!options.max_number_of_evaluations || count < *options.max_number_of_evaluations) {
    const auto newest = next_checkpoint(checkpoint_dir, seen, options);
    if (!newest) {
      if (!options.timeout_fn || options.timeout_fn()) break;
      continue;
    }
    const double start = wall_seconds();
    seen = *newest;
    values = evaluate_counted(*newest, options, eval_ops);
    if (++count == options.max_number_of_evaluations) break;
    const double left = options.eval_interval_secs - (wall_seconds() - start);
    if (left > 0) pause(left);
  }
  return values;
}

Tensor train(Output train_op, const std::string& logdir, const TrainOptions& options) {
  if (logdir.empty() && options.is_chief) {
    if (options.save_summaries_steps > 0)
      rill::train::misuse(Code::kInvalidArgument,
                          "logdir cannot be None when save_summaries_steps is not None");
    if (options.save_checkpoint_secs > 0)
      rill::train::misuse(Code::kInvalidArgument,
                          "logdir cannot be None when save_checkpoint_secs is not None");
  }
  auto session =
      rill::train::MonitoredTrainingSession({.master = options.master,
                                             .is_chief = options.is_chief,
                                             .checkpoint_dir = logdir,
                                             .scaffold = options.scaffold,
                                             .hooks = options.hooks,
                                             .chief_only_hooks = options.chief_only_hooks,
                                             .save_checkpoint_secs = options.save_checkpoint_secs,
                                             .save_summaries_steps = options.save_summaries_steps,
                                             .config = options.config,
                                             .max_wait_secs = options.max_wait_secs,
                                             .open = options.open});
  Tensor loss;
  session.run_until_stop(
      [&](rill::train::MonitoredSession& running) { loss = running.run(train_op); });
  return loss;
}

}  // namespace rill::contrib::training
