#include "rill/api/training/basic_hooks.h"
#include "rill/api/training/monitored_session.h"

namespace rill::train {
namespace {

constexpr double kSaveCheckpointSecs = 600;
constexpr std::int64_t kSaveSummariesSteps = 100;

// How often something is done: by seconds or steps; 0 or less means never.
struct HowOften {
  std::optional<double> secs;
  std::optional<std::int64_t> steps;

  explicit operator bool() const { return secs.value_or(0) > 0 || steps.value_or(0) > 0; }
};

void add_default_hooks(const MonitoredTrainingSessionOptions& options, const ScaffoldRef& scaffold,
                       std::vector<HookRef>& hooks) {
  HowOften summaries{options.save_summaries_secs, options.save_summaries_steps};
  if (!summaries.secs && !summaries.steps) summaries.steps = kSaveSummariesSteps;
  HowOften checkpoints{options.save_checkpoint_secs, options.save_checkpoint_steps};
  if (!checkpoints.secs && !checkpoints.steps) checkpoints.secs = kSaveCheckpointSecs;

  const std::string& summary_dir =
      options.summary_dir.empty() ? options.checkpoint_dir : options.summary_dir;
  if (!summary_dir.empty() && options.log_step_count_steps > 0)
    hooks.push_back(std::make_shared<StepCounterHook>(StepCounterHookOptions{
        .every_n_steps = options.log_step_count_steps, .output_dir = summary_dir}));
  if (!summary_dir.empty() && summaries)
    hooks.push_back(
        std::make_shared<SummarySaverHook>(SummarySaverHookOptions{.save_steps = summaries.steps,
                                                                   .save_secs = summaries.secs,
                                                                   .output_dir = summary_dir,
                                                                   .scaffold = scaffold}));
  if (!options.checkpoint_dir.empty() && checkpoints)
    hooks.push_back(std::make_shared<CheckpointSaverHook>(
        options.checkpoint_dir,
        CheckpointSaverHookOptions{.save_secs = checkpoints.secs,
                                   .save_steps = checkpoints.steps,
                                   .scaffold = scaffold,
                                   .save_graph_def = options.save_graph_def}));
}

}  // namespace

MonitoredSessionOptions training_session_parts(const MonitoredTrainingSessionOptions& options) {
  SessionCreatorOptions creator{.scaffold = options.scaffold,
                                .config = options.config,
                                .max_wait_secs = options.max_wait_secs,
                                .open = options.open};
  if (!creator.scaffold) creator.scaffold = std::make_shared<Scaffold>();
  if (!options.master.empty()) creator.config.target = options.master;
  MonitoredSessionOptions parts{.stop_grace_period_secs = options.stop_grace_period_secs};
  if (options.is_chief) {
    creator.checkpoint_dir = options.checkpoint_dir;
    parts.session_creator = std::make_shared<ChiefSessionCreator>(creator);
    parts.hooks = options.chief_only_hooks;
    add_default_hooks(options, creator.scaffold, parts.hooks);
  } else {
    parts.session_creator = std::make_shared<WorkerSessionCreator>(creator);
  }
  parts.hooks.insert(parts.hooks.end(), options.hooks.begin(), options.hooks.end());
  return parts;
}

MonitoredSession MonitoredTrainingSession(const MonitoredTrainingSessionOptions& options) {
  return MonitoredSession(training_session_parts(options));
}

}  // namespace rill::train
