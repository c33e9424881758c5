#include "rill/api/estimator/schedule/train_and_evaluate.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "rill/api/logging/tf_logging.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::estimator {
namespace {

constexpr double kMaxWorkerDelaySecs = 60, kDelaySecsPerWorker = 5;

std::int64_t global_step_of(const Values& metrics) {
  const auto found = metrics.find(GraphKeys::GLOBAL_STEP);
  require(found != metrics.end(), "The metrics have no `global_step`.");
  return found->second.scalar_value<std::int64_t>();
}

// One call of train_and_evaluate.
struct Task {
  Estimator& model;
  const TrainSpec& train;
  const EvalSpec& eval;
  TrainedModel result = {};
  InterruptedTrainingRef unfinished = {};

  std::shared_ptr<Evaluator> evaluator() {
    return std::make_shared<Evaluator>(Evaluation{
        .latest_checkpoint = [this] { return model.latest_checkpoint(); },
        .evaluate =
            [this](const std::string& checkpoint) {
              result.metrics = model.evaluate(eval.input_fn, {.steps = eval.steps,
                                                              .hooks = eval.hooks,
                                                              .checkpoint_path = checkpoint,
                                                              .name = eval.name});
              return global_step_of(result.metrics);
            },
        .export_models =
            [this](const std::string& checkpoint, bool is_final) {
              result.exports.clear();
              for (const ExporterRef& exporter : eval.exporters)
                result.exports.push_back(exporter->export_model(
                    model, {.export_path =
                                join_path(join_path(model.model_dir(), "export"), exporter->name()),
                            .checkpoint_path = checkpoint,
                            .eval_result = result.metrics,
                            .is_the_final_export = is_final}));
            },
        .max_steps = train.max_steps,
        .begin_again = [this](std::int64_t step) { mark_restart(model.eval_dir(eval.name), step); },
        .unfinished = unfinished});
  }

  // As run_training, going on where an earlier process was killed.
  void run_alone() {
    unfinished = std::make_shared<InterruptedTraining>(model.model_dir());
    const auto position = save_input_position(unfinished);
    const auto tests = evaluator();
    TrainOptions options{.hooks = train.hooks,
                         .max_steps = train.max_steps,
                         .saving_listeners = train.saving_listeners};
    options.hooks.push_back(position.hook);
    options.saving_listeners.push_back(position.listener);
    options.saving_listeners.push_back(
        std::make_shared<NewCheckpointListener>(tests, eval.throttle_secs));
    model.train(train.input_fn, options);
    tests->make_up_for_latest();
    unfinished->finish();
  }

  void run_training(bool evaluates, bool listens = true) {
    TrainOptions options{.hooks = train.hooks, .max_steps = train.max_steps};
    if (listens) options.saving_listeners = train.saving_listeners;
    if (evaluates)
      options.saving_listeners.push_back(
          std::make_shared<NewCheckpointListener>(evaluator(), eval.throttle_secs));
    model.train(train.input_fn, options);
  }

  void run_in_cluster(Role role) {
    start_server(model.config());
    if (role == Role::kPs) return;
    if (const double delay = start_delay_secs(model.config()); delay > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(delay));
    run_training(role == Role::kMaster, role != Role::kWorker);
  }

  static double start_delay_secs(const RunConfig& config) {
    if (config.task_type != TaskType::WORKER) return 0;
    const double most = static_cast<double>(
        config.experimental_max_worker_delay_secs.value_or(kMaxWorkerDelaySecs));
    return std::min(most, static_cast<double>(config.task_id + 1) * kDelaySecsPerWorker);
  }
};

}  // namespace

void check(const TrainSpec& spec) {
  require_type(bool(spec.input_fn), "`input_fn` must be callable, given: None");
  require(spec.max_steps.value_or(1) > 0,
          "Must specify max_steps > 0, given: ", spec.max_steps.value_or(0));
}

void check(const EvalSpec& spec) {
  require_type(bool(spec.input_fn), "`input_fn` must be callable, given: None");
  require(spec.steps.value_or(1) > 0, "Must specify steps > 0, given: ", spec.steps.value_or(0));
  require(spec.start_delay_secs >= 0,
          "Must specify start_delay_secs >= 0, given: ", spec.start_delay_secs);
  require(spec.throttle_secs >= 0, "Must specify throttle_secs >= 0, given: ", spec.throttle_secs);
  std::set<std::string> names;
  for (const ExporterRef& exporter : spec.exporters) {
    require(!exporter->name().empty(), "An Exporter cannot have a name that is `None` or empty.");
    require(names.insert(exporter->name()).second, "`exporters` must have unique names. \"",
            exporter->name(), "\" comes twice.");
  }
}

TrainedModel train_and_evaluate(Estimator& estimator, const TrainSpec& train_spec,
                                const EvalSpec& eval_spec) {
  check(train_spec);
  check(eval_spec);
  Task task{estimator, train_spec, eval_spec};
  switch (const Role role = role_of(estimator.config())) {
    case Role::kLocal:
      logging::info("Running training and evaluation locally (non-distributed).");
      task.run_alone();
      return std::move(task.result);
    case Role::kEvaluator:
      evaluate_continuously(*task.evaluator(), {.start_delay_secs = eval_spec.start_delay_secs,
                                                .throttle_secs = eval_spec.throttle_secs});
      return {};
    default:
      task.run_in_cluster(role);
      return {};
  }
}

}  // namespace rill::estimator
