#include "rill/api/core/texts.h"
#include "rill/api/estimator/core/as_misuse.h"
#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/core/estimator_input.h"
#include "rill/api/estimator/core/estimator_replicas.h"
#include "rill/api/estimator/core/predict_sessions.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/monitored_session.h"

namespace rill::estimator {
namespace {

// 0 where there is no checkpoint.
std::int64_t step_of_checkpoint(const std::optional<std::string>& path) {
  if (!path) return 0;
  try {
    return train::step_of(train::load_variable(*path, "global_step"));
  } catch (const Error&) {
    return 0;  // a checkpoint of a program that counts no steps
  }
}

void check_steps(const char* name, const std::optional<std::int64_t>& steps) {
  require(!steps || *steps > 0, "Must specify ", name, " > 0, given: ", steps.value_or(0));
}

void add_loss_summary(Output loss) {
  for (const CollectionItem& item : get_collection(GraphKeys::SUMMARIES))
    if (const auto* tensor = std::get_if<Output>(&item); tensor && tensor->node->name() == "loss")
      return;
  summaries::scalar("loss", loss);
}

// Where a master evaluates, the first worker writes summaries, so that they come regularly.
bool worker_writes_summaries(const RunConfig& config) {
  return config.cluster_spec.contains(TaskType::WORKER) &&
         config.cluster_spec.contains(TaskType::MASTER);
}

void add_summary_hooks(const RunConfig& config, const ScaffoldRef& scaffold,
                       std::vector<HookRef>& hooks) {
  if (config.task_type != TaskType::WORKER || config.task_id != 0) return;
  if (config.save_summary_steps > 0)
    hooks.push_back(std::make_shared<train::SummarySaverHook>(
        train::SummarySaverHookOptions{.save_steps = config.save_summary_steps,
                                       .output_dir = config.model_dir,
                                       .scaffold = scaffold}));
  if (config.log_step_count_steps > 0)
    hooks.push_back(std::make_shared<train::StepCounterHook>(train::StepCounterHookOptions{
        .every_n_steps = config.log_step_count_steps, .output_dir = config.model_dir}));
}

std::shared_ptr<train::CheckpointSaverHook> saver_among(const std::vector<HookRef>& hooks) {
  for (const HookRef& hook : hooks)
    if (auto saver = std::dynamic_pointer_cast<train::CheckpointSaverHook>(hook)) return saver;
  return nullptr;
}

}  // namespace

void add_saver_to_collection(const train::SaverOptions& options) {
  add_to_collection(GraphKeys::SAVERS, std::make_shared<train::Saver>(options));
}

void Estimator::check_training(const TrainOptions& options) const {
  require(config_.task_type != TaskType::EVALUATOR && config_.task_type != TaskType::PS,
          "Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate "
          "which calls proper API according to given configuration. Current configuration: ",
          config_.task_type, ".");
  require(!options.steps || !options.max_steps, "Can not provide both steps and max_steps.");
  check_steps("steps", options.steps);
  check_steps("max_steps", options.max_steps);
}

Estimator& Estimator::train(const InputFn& input_fn, const TrainOptions& options) {
  as_misuse([&] { check_training(options); });
  if (options.max_steps && *options.max_steps <= step_of_checkpoint(latest_checkpoint())) {
    logging::info("Skipping training since max_steps has already saved.");
    return *this;
  }
  predict_sessions_->clear();  // there will be another checkpoint, and memory is wanted
  const AsDefault graph(new_graph_());
  const distribute::StrategyRef& strategy = config_.train_distribute;
  std::optional<DeviceScope> devices;
  if (device_fn_ && strategy == nullptr) devices.emplace(device_fn_);
  std::optional<distribute::StrategyScope> scope;
  if (strategy != nullptr) scope.emplace(strategy);
  std::vector<HookRef> hooks;
  const EstimatorSpec spec = as_misuse([&] {
    set_random_seed(config_.tf_random_seed);
    train::create_global_step();
    train::get_or_create_global_step_read();
    if (strategy != nullptr) {
      ReplicatedModel model = build_replicas(
          strategy, input_fn, config_,
          [this](const InputBatch& batch) { return call_model_fn(batch, Mode::kTrain); });
      hooks = std::move(model.hooks);
      return std::move(model.spec);
    }
    const ModelInput input = make_input(input_fn, Mode::kTrain, config_);
    hooks = input.hooks();
    return call_model_fn(input.batch, Mode::kTrain);
  });
  hooks.insert(hooks.end(), options.hooks.begin(), options.hooks.end());
  if (options.steps || options.max_steps)
    hooks.push_back(std::make_shared<train::StopAtStepHook>(
        train::StopAtStepHookOptions{.num_steps = options.steps, .last_step = options.max_steps}));
  const Tensor loss = train_with(spec, std::move(hooks), options);
  logging::info("Loss for final step: ", loss.dtype() == DType::invalid ? "None" : value_text(loss),
                ".");
  return *this;
}

std::vector<HookRef> Estimator::training_hooks(const EstimatorSpec& spec,
                                               std::vector<HookRef> hooks) const {
  hooks.push_back(std::make_shared<train::NanTensorHook>(spec.loss));
  if (config_.log_step_count_steps > 0) {
    const std::vector<std::pair<std::string, train::TensorOrName>> logged = {
        {"loss", spec.loss}, {"step", train::get_global_step().snapshot()}};
    hooks.push_back(std::make_shared<train::LoggingTensorHook>(
        logged, train::LoggingTensorHookOptions{.every_n_iter = config_.log_step_count_steps}));
  }
  hooks.insert(hooks.end(), spec.training_hooks.begin(), spec.training_hooks.end());
  return hooks;
}

HookRef Estimator::checkpoint_saver(const EstimatorSpec& spec,
                                    const std::vector<HookRef>& worker_hooks,
                                    const TrainOptions& train) const {
  if (train.saves_itself && train.saves_itself(spec)) return nullptr;
  const std::vector<ListenerRef>& listeners = train.saving_listeners;
  auto saver = saver_among(worker_hooks);
  if (!saver) saver = saver_among(spec.training_chief_hooks);
  if (saver) {
    for (const ListenerRef& listener : listeners) saver->add_listener(listener);
    return nullptr;
  }
  const double secs = config_.save_checkpoints_secs.value_or(0);
  const std::int64_t steps = config_.save_checkpoints_steps.value_or(0);
  if (secs == 0 && steps == 0) {
    require(listeners.empty(),
            "There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
            "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs.");
    return nullptr;
  }
  train::CheckpointSaverHookOptions options{.scaffold = spec.scaffold, .listeners = listeners};
  if (secs != 0) options.save_secs = secs;
  if (steps != 0) options.save_steps = steps;
  return std::make_shared<train::CheckpointSaverHook>(model_dir(), std::move(options));
}

std::vector<HookRef> Estimator::complete_for_training(const EstimatorSpec& spec,
                                                      std::vector<HookRef>& worker_hooks,
                                                      const TrainOptions& options) const {
  if (warm_start_) warm_start_unless(latest_checkpoint().has_value());
  add_loss_summary(spec.loss);
  add_to_collection(GraphKeys::LOSSES, spec.loss);
  worker_hooks = training_hooks(spec, std::move(worker_hooks));
  if (!spec.scaffold->saver() && get_collection(GraphKeys::SAVERS).empty())
    add_saver_({.sharded = true,
                .max_to_keep = static_cast<int>(config_.keep_checkpoint_max),
                .keep_checkpoint_every_n_hours = config_.keep_checkpoint_every_n_hours,
                .defer_build = true,
                .save_relative_paths = true});
  std::vector<HookRef> chief_hooks;
  if (HookRef saver = checkpoint_saver(spec, worker_hooks, options))
    chief_hooks.push_back(std::move(saver));
  chief_hooks.insert(chief_hooks.end(), spec.training_chief_hooks.begin(),
                     spec.training_chief_hooks.end());
  return chief_hooks;
}

Tensor Estimator::train_with(const EstimatorSpec& spec, std::vector<HookRef> worker_hooks,
                             const TrainOptions& options) {
  std::vector<HookRef> chief_hooks =
      as_misuse([&] { return complete_for_training(spec, worker_hooks, options); });
  const distribute::StrategyRef& strategy = config_.train_distribute;
  // Each worker has variables of its own, and begins and restores them itself.
  const bool begins_itself = strategy != nullptr && strategy->experimental_between_graph() &&
                             strategy->experimental_should_init();
  if (begins_itself && !strategy->should_checkpoint()) chief_hooks.clear();
  const bool others_write =
      worker_writes_summaries(config_) || (begins_itself && !strategy->should_save_summary());
  if (worker_writes_summaries(config_)) add_summary_hooks(config_, spec.scaffold, worker_hooks);
  auto session = train::MonitoredTrainingSession(
      {.master = config_.master,
       .is_chief = config_.is_chief || begins_itself,
       .checkpoint_dir = model_dir(),
       .scaffold = spec.scaffold,
       .hooks = std::move(worker_hooks),
       .chief_only_hooks = std::move(chief_hooks),
       .save_checkpoint_secs = 0,  // a hook does that
       .save_summaries_steps = others_write ? 0 : config_.save_summary_steps,
       .config = session_options(),
       .log_step_count_steps = others_write ? 0 : config_.log_step_count_steps,
       .max_wait_secs = config_.session_creation_timeout_secs,
       .open = open_});
  Tensor loss;
  std::int64_t steps = 0;
  const train::SessionRunArgs step{.fetches = {spec.train_op, spec.loss}};
  session.run_until_stop([&](train::MonitoredSession& running) {
    ++steps;
    loss = running.run(step).results.at(1);
  });
  if (steps == 0)
    logging::warning(
        "Training with estimator made no steps. Perhaps input is empty or misspecified.");
  return loss;
}

}  // namespace rill::estimator
