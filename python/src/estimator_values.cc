// What passes between estimators and the functions of programs.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "call.h"
#include "data.h"
#include "errors.h"
#include "estimator.h"
#include "estimator_outer.h"
#include "hooks.h"
#include "inputs.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/api/replicas/strategy.h"
#include "session.h"
#include "train_inputs.h"
#include "training.h"

namespace rill::python {
namespace {

using estimator::EstimatorSpec;
using estimator::InputBatch;
using estimator::Mode;

// As [(name, value)].
estimator::Features features_of_structure(nb::handle structure) {
  estimator::Features features;
  for (nb::handle pair : package::named_leaves(structure))
    features.emplace(str_of(pair[0]), part_of(pair[1]));
  return features;
}

nb::object structure_of(const estimator::Features& features) {
  nb::dict named;
  for (const auto& [name, part] : features)
    named[nb::str(name.data(), name.size())] = nb::object(give(data::Components{part})[0]);
  if (features.size() == 1 && features.contains("")) return named[""];
  return named;
}

Output tensor_or_empty(nb::handle value) {
  return value.is_none() ? Output() : converted_tensor(value);
}

std::map<std::string, Output> predictions_of(nb::handle predictions) {
  if (is_tensor(predictions)) return {{"", tensor_object(predictions).output}};
  std::map<std::string, Output> outputs;
  for (const auto& [key, tensor] : nb::cast<nb::dict>(predictions))
    outputs.emplace(str_of(nb::str(key)), tensor_or_empty(tensor));
  return outputs;
}

std::map<std::string, estimator::EvalMetric> eval_metrics_of(nb::handle metrics) {
  std::map<std::string, estimator::EvalMetric> result;
  for (const auto& [key, metric] : nb::cast<nb::dict>(metrics))
    result.emplace(str_of(nb::str(key)),
                   estimator::EvalMetric{tensor_or_empty(nb::object(metric[0])),
                                         runnable_of(nb::object(metric[1]))});
  return result;
}

nb::object predictions_object(const std::map<std::string, Output>& predictions) {
  if (predictions.size() == 1 && predictions.contains("")) return give(predictions.at(""));
  nb::dict named;
  for (const auto& [key, tensor] : predictions) named[nb::str(key.c_str())] = give(tensor);
  return named;
}

// Sessions for predictions are kept for later ones where the program's scaffold adds nothing.
train::ScaffoldRef needed_scaffold(nb::handle scaffold, const EstimatorSpec& spec) {
  train::ScaffoldRef core = scaffold_of(scaffold);
  const bool is_own = scaffold.type().is(package::scaffold.get()) && !estimator::has_parts(*core);
  return spec.mode == Mode::kPredict && spec.prediction_hooks.empty() && is_own ? nullptr : core;
}

template <class T>
std::optional<T> number_or_none(nb::handle config, const char* name) {
  nb::object value = config.attr(name);
  if (value.is_none()) return {};
  return plain_value<T>(value);
}

DeviceFunction device_function_of(nb::handle choose) {
  if (choose.is_none()) return {};
  return [held = keep(choose)](Node& node) {
    return in_program([&] {
      nb::object graph = wrap(default_graph());
      nb::object device = kept(held)(wrap(graph_object(graph), node));
      if (nb::hasattr(device, "to_string")) device = device.attr("to_string")();
      return device.is_none() ? std::string() : str_of(device);
    });
  };
}

estimator::Cluster cluster_of(nb::handle cluster_spec) {
  estimator::Cluster cluster;
  for (const auto& [job, tasks] : nb::cast<nb::dict>(cluster_spec.attr("as_dict")()))
    for (nb::handle task : tasks) cluster[str_of(job)].push_back(str_of(task));
  return cluster;
}

}  // namespace

estimator::Features features_of_dict(nb::handle dict) {
  estimator::Features features;
  for (const auto& [key, value] : nb::cast<nb::dict>(dict))
    features.emplace(str_of(key), part_of(value));
  return features;
}

Mode mode_of(nb::handle mode) {
  const std::string key = str_of(nb::str(mode));
  for (const Mode known : {Mode::kTrain, Mode::kEval, Mode::kPredict})
    if (key == estimator::mode_key(known)) return known;
  value_error("Invalid mode: ", key);
}

InputBatch batch_of(nb::handle features, nb::handle labels) {
  InputBatch batch;
  batch.features = features_of_structure(features);
  if (!labels.is_none()) batch.labels = features_of_structure(labels);
  batch.form = keep(nb::make_tuple(features, labels));
  return batch;
}

nb::object python_features(const InputBatch& batch) {
  return batch.form ? nb::object(kept(batch.form)[0]) : structure_of(batch.features);
}

nb::object python_labels(const InputBatch& batch) {
  if (batch.form) return kept(batch.form)[1];
  return batch.labels.empty() ? nb::none() : structure_of(batch.labels);
}

EstimatorSpec spec_of(nb::handle spec) {
  EstimatorSpec result;
  result.mode = mode_of(spec.attr("mode"));
  result.predictions = predictions_of(spec.attr("predictions"));
  result.loss = tensor_or_empty(spec.attr("loss"));
  if (nb::object train_op = spec.attr("train_op"); !train_op.is_none())
    result.train_op = runnable_of(train_op);
  result.eval_metric_ops = eval_metrics_of(spec.attr("eval_metric_ops"));
  if (nb::object outputs = spec.attr("export_outputs"); !outputs.is_none())
    for (const auto& [key, output] : nb::cast<nb::dict>(outputs))
      result.export_outputs.emplace(str_of(nb::str(key)), export_output_of(output));
  result.training_chief_hooks = hooks_of(spec.attr("training_chief_hooks"));
  result.training_hooks = hooks_of(spec.attr("training_hooks"));
  result.evaluation_hooks = hooks_of(spec.attr("evaluation_hooks"));
  result.prediction_hooks = hooks_of(spec.attr("prediction_hooks"));
  result.scaffold = needed_scaffold(spec.attr("scaffold"), result);
  result.form = keep(spec);
  return result;
}

nb::object python_spec(const EstimatorSpec& spec) {
  if (spec.form) return kept(spec.form);
  nb::dict fields;
  fields["mode"] = estimator::mode_key(spec.mode);
  if (!spec.predictions.empty()) fields["predictions"] = predictions_object(spec.predictions);
  if (spec.loss.node) fields["loss"] = give(spec.loss);
  if (spec.train_op) fields["train_op"] = give(spec.train_op);
  nb::dict metrics;
  for (const auto& [name, metric] : spec.eval_metric_ops)
    metrics[nb::str(name.c_str())] = nb::make_tuple(give(metric.value), give(metric.update_op));
  fields["eval_metric_ops"] = metrics;
  if (!spec.export_outputs.empty()) {
    nb::dict outputs;
    for (const auto& [name, output] : spec.export_outputs)
      outputs[nb::str(name.c_str())] = give(output);
    fields["export_outputs"] = outputs;
  }
  const std::pair<const char*, const std::vector<estimator::HookRef>*> hooks[] = {
      {"training_chief_hooks", &spec.training_chief_hooks},
      {"training_hooks", &spec.training_hooks},
      {"evaluation_hooks", &spec.evaluation_hooks},
      {"prediction_hooks", &spec.prediction_hooks}};
  for (const auto& [name, list] : hooks) {
    nb::list objects;
    for (const estimator::HookRef& hook : *list) objects.append(package::hook_object(hook));
    fields[name] = objects;
  }
  if (spec.scaffold) fields["scaffold"] = python_scaffold(spec.scaffold);
  return package::estimator_spec(**fields);
}

namespace {

// None, or a strategy of the package.
distribute::StrategyRef strategy_ref_of(nb::handle strategy) {
  if (strategy.is_none()) return nullptr;
  return nb::cast<const distribute::Strategy&>(strategy.attr("_core")).ref();
}

}  // namespace

estimator::RunConfig run_config_of(nb::handle config) {
  estimator::RunConfigOptions options{
      .tf_random_seed = number_or_none<std::int64_t>(config, "tf_random_seed"),
      .save_summary_steps = number_or_none<std::int64_t>(config, "save_summary_steps").value_or(0),
      .save_checkpoints_steps = number_or_none<std::int64_t>(config, "save_checkpoints_steps"),
      .save_checkpoints_secs = number_or_none<double>(config, "save_checkpoints_secs"),
      .keep_checkpoint_max =
          number_or_none<std::int64_t>(config, "keep_checkpoint_max").value_or(0),
      .keep_checkpoint_every_n_hours =
          number_or_none<double>(config, "keep_checkpoint_every_n_hours").value_or(10000),
      .log_step_count_steps =
          number_or_none<std::int64_t>(config, "log_step_count_steps").value_or(0),
      .device_fn = device_function_of(config.attr("device_fn")),
      .session_creation_timeout_secs =
          number_or_none<double>(config, "session_creation_timeout_secs").value_or(7200)};
  options.train_distribute = strategy_ref_of(config.attr("train_distribute"));
  options.eval_distribute = strategy_ref_of(config.attr("eval_distribute"));
  // Neither: none are saved.
  if (!options.save_checkpoints_steps && !options.save_checkpoints_secs)
    options.save_checkpoints_secs = 0;
  if (nb::object dir = config.attr("model_dir"); !dir.is_none()) options.model_dir = str_of(dir);
  if (nb::object session_config = config.attr("session_config"); !session_config.is_none())
    options.session_config = session_options_of(session_config, "");
  estimator::TaskConfig task{
      .cluster_spec = cluster_of(config.attr("cluster_spec")),
      .task_type = str_of(config.attr("task_type")),
      .task_id = integer_of(config.attr("task_id")),
      .global_id_in_cluster = number_or_none<std::int64_t>(config, "global_id_in_cluster"),
      .master = str_of(config.attr("master")),
      .evaluation_master = str_of(config.attr("evaluation_master")),
      .is_chief = truth_of(config.attr("is_chief")),
      .num_ps_replicas = integer_of(config.attr("num_ps_replicas")),
      .num_worker_replicas = integer_of(config.attr("num_worker_replicas"))};
  return {std::move(options), std::move(task)};
}

}  // namespace rill::python
