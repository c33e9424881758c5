#include <ctime>

#include "rill/api/core/control_flow.h"
#include "rill/api/estimator/core/as_misuse.h"
#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/core/estimator_input.h"
#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/api/estimator/core/eval_summary.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/metrics/metrics.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/api/training/monitored_session.h"
#include "rill/base/clock.h"

namespace rill::estimator {
namespace {

constexpr const char* kGlobalStep = "global_step";

std::string time_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &local)};
}

// The metrics of the model, and the mean loss.
void add_metrics_of(const EstimatorSpec& spec, BuiltEvaluation& evaluation) {
  require(!spec.eval_metric_ops.contains(kLossMetric), "Metric with name \"", kLossMetric,
          "\" is not allowed, because Estimator already defines a default metric with the same "
          "name.");
  auto metrics = spec.eval_metric_ops;
  const metrics::Metric loss = metrics::mean(spec.loss);
  metrics[kLossMetric] = {loss.value, loss.update_op};
  std::vector<Node*> updates;
  for (const auto& [name, metric] : metrics) {
    evaluation.names.push_back(name);
    evaluation.values.push_back(metric.value);
    updates.push_back(&metric.update_op.node());
  }
  evaluation.update_op = group(updates);
}

void add_global_step(const EstimatorSpec& spec, BuiltEvaluation& evaluation) {
  require(!spec.eval_metric_ops.contains(kGlobalStep),
          "Metric with name `global_step` is not allowed, because Estimator already defines a "
          "default metric with the same name.");
  evaluation.names.push_back(kGlobalStep);
  evaluation.values.push_back(train::get_global_step().snapshot());
}

// Metrics count in local variables that a program's own initialisation does not know of.
ScaffoldRef with_local_variables(const ScaffoldRef& scaffold) {
  if (!scaffold->local_init_op()) return scaffold;
  train::get_or_create_eval_step();
  Node& all = group({&scaffold->local_init_op().node(), &train::Scaffold::default_local_init_op()});
  return std::make_shared<train::Scaffold>(train::ScaffoldOptions{.local_init_op = all},
                                           scaffold.get());
}

std::vector<HookRef> joined(std::vector<HookRef> hooks, const std::vector<HookRef>& more) {
  hooks.insert(hooks.end(), more.begin(), more.end());
  return hooks;
}

// The scaffold with something more to do after its own initialisation.
ScaffoldRef with_init_fn(const ScaffoldRef& scaffold, std::function<void(Session&)> init_fn) {
  if (!init_fn) return scaffold;
  train::ScaffoldOptions options;
  options.init_fn = [init_fn = std::move(init_fn), own = scaffold->parts().init_fn](
                        const train::Scaffold& made, Session& session) {
    if (own) own(made, session);
    init_fn(session);
  };
  return std::make_shared<train::Scaffold>(std::move(options), scaffold.get());
}

// Runs the evaluation to its end and gives the values.
std::vector<Tensor> evaluate_once(const BuiltEvaluation& evaluation,
                                  train::SessionCreatorOptions session_options) {
  logging::info("Starting evaluation at ", time_text("%Y-%m-%dT%H:%M:%S"));
  const auto start = monotonic_nanos();
  auto final_ops = std::make_shared<train::FinalOpsHook>(evaluation.values);
  train::MonitoredSession session(
      {.session_creator = std::make_shared<train::ChiefSessionCreator>(std::move(session_options)),
       .hooks = joined(evaluation.hooks, {final_ops})});
  const train::SessionRunArgs step{.fetches = {evaluation.update_op, evaluation.counted}};
  session.run_until_stop([&](train::MonitoredSession& running) { running.run(step); });
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.5f",
                static_cast<double>(monotonic_nanos() - start) * 1e-9);
  logging::info("Inference Time : ", seconds, "s");
  logging::info("Finished evaluation at ", time_text("%Y-%m-%d-%H:%M:%S"));
  return final_ops->final_ops_values();
}

}  // namespace

Values Estimator::evaluate(const InputFn& input_fn, const EvaluateOptions& options) {
  as_misuse([&] {
    require(!options.steps || *options.steps > 0,
            "Must specify steps > 0, given: ", options.steps.value_or(0));
  });
  std::string checkpoint = options.checkpoint_path;
  if (checkpoint.empty()) checkpoint = latest_checkpoint().value_or("");
  if (checkpoint.empty())
    logging::info("Could not find trained model in model_dir: ", model_dir(),
                  ", running initialization to evaluate.");
  return run_evaluation(build_evaluation(input_fn, options, !checkpoint.empty()), options,
                        checkpoint);
}

BuiltEvaluation Estimator::build_evaluation(const InputFn& input_fn, const EvaluateOptions& options,
                                            bool has_checkpoint) {
  BuiltEvaluation built{.graph = new_graph_()};
  const AsDefault graph(built.graph);
  as_misuse([&] {
    set_random_seed(config_.tf_random_seed);
    train::create_global_step();
    const ModelInput input = make_input(input_fn, Mode::kEval, config_);
    const EstimatorSpec spec = call_model_fn(input.batch, Mode::kEval);
    add_metrics_of(spec, built);
    warm_start_unless(has_checkpoint);
    add_global_step(spec, built);
    built.hooks = joined(input.hooks(), options.hooks);
    if (options.steps)
      built.hooks.push_back(std::make_shared<train::StopAfterNEvalsHook>(options.steps));
    built.hooks = joined(std::move(built.hooks), spec.evaluation_hooks);
    built.scaffold = with_local_variables(spec.scaffold);
    built.counted = train::count_evaluations({built.update_op}, built.hooks);
  });
  return built;
}

Values Estimator::run_evaluation(const BuiltEvaluation& evaluation, const EvaluateOptions& options,
                                 const std::string& checkpoint,
                                 std::function<void(Session&)> init_fn) {
  const AsDefault graph(evaluation.graph);
  SessionOptions session_config = session_options();
  session_config.target = config_.evaluation_master;
  const std::vector<Tensor> values =
      evaluate_once(evaluation, {.scaffold = with_init_fn(evaluation.scaffold, std::move(init_fn)),
                                 .config = session_config,
                                 .checkpoint_filename_with_path = checkpoint,
                                 .open = open_});
  Values results;
  for (std::size_t i = 0; i < values.size(); ++i) results[evaluation.names[i]] = values[i];
  write_eval_summary(eval_dir(options.name), results, checkpoint);
  return results;
}

}  // namespace rill::estimator
