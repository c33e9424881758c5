#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rill/api/estimator/core/interrupted_training.h"
#include "rill/api/estimator/core/run_config.h"
#include "rill/api/training/checkpoint_saver_hook.h"

// The parts of train_and_evaluate, for estimators of any language.
namespace rill::estimator {

// What is evaluated, and what is done with the result.
struct Evaluation {
  std::function<std::optional<std::string>()> latest_checkpoint = {};
  // The global step of the checkpoint.
  std::function<std::int64_t(const std::string& checkpoint)> evaluate;
  std::function<void(const std::string& checkpoint, bool is_the_final_export)> export_models;
  std::optional<std::int64_t> max_steps = {};  // where training ends
  // Makes a second evaluation of a checkpoint replace the first one in what TensorBoard shows.
  std::function<void(std::int64_t step)> begin_again = {};
  std::shared_ptr<InterruptedTraining> unfinished = {};  // of who trains alone
};

enum class EvalStatus { kEvaluated, kMissingCheckpoint, kNoNewCheckpoint };

// Evaluates checkpoints, each once, and exports after each evaluation. For one thread.
class Evaluator {
 public:
  explicit Evaluator(Evaluation evaluation) : evaluation_(std::move(evaluation)) {}
  EvalStatus evaluate_and_export();
  // Does so for a checkpoint that an earlier process was killed before it had evaluated.
  void make_up_for(std::int64_t step);
  // The same for the latest one where this process evaluated none at all. What was exported
  // already is not exported again.
  void make_up_for_latest();
  bool is_at_end() const;  // the last checkpoint of training was evaluated

 private:
  void begin_again(std::int64_t step);
  void warn(const char* text);

  Evaluation evaluation_;
  std::string previous_;
  std::optional<std::int64_t> step_;  // of what was evaluated last
  double warned_at_ = 0;
};

// Evaluates after checkpoints were saved, `throttle_secs` apart, and always after the last one. The
// first one, which training begins with, only counts where it should have been evaluated before.
class NewCheckpointListener : public train::CheckpointSaverListener {
 public:
  NewCheckpointListener(std::shared_ptr<Evaluator> evaluator, double throttle_secs)
      : evaluator_(std::move(evaluator)), throttle_secs_(throttle_secs) {}
  void begin() override;
  bool after_save(Session&, std::int64_t step) override { return after_saved(step); }
  void end(Session&, std::int64_t step) override { ended(step); }
  bool after_saved(std::int64_t global_step);
  void ended(std::int64_t global_step);
  std::string text() const override { return "NewCheckpointListener"; }

 private:
  void evaluate(std::int64_t global_step);

  std::shared_ptr<Evaluator> evaluator_;
  double throttle_secs_;
  train::TimerRef timer_;
  bool is_first_ = true;
};

// Tells TensorBoard that what it read of `step` and later ones in that directory does not count.
void mark_restart(const std::string& directory, std::int64_t step);

// What an evaluator's process does: evaluates new checkpoints until the last one was.
struct ContinuousOptions {
  double start_delay_secs = 120, throttle_secs = 600;
  // Waits; another language may listen to signals meanwhile.
  std::function<void(double secs)> sleep = {};
};
void evaluate_continuously(Evaluator& evaluator, const ContinuousOptions& options);

// What this process is for.
enum class Role { kLocal, kChief, kMaster, kWorker, kPs, kEvaluator };
// Throws InvalidArgument where the configuration names no task, or one that there is not.
Role role_of(const TaskConfig& config);
// Makes this process the task that the configuration names; that of a parameter server it stays for
// good. Nothing where this process trains alone.
void start_server(const TaskConfig& config);

}  // namespace rill::estimator
