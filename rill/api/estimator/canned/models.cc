#include "rill/api/estimator/canned/models.h"

#include <cmath>

#include "rill/api/core/call_site.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/estimator/canned/summaries.h"
#include "rill/api/estimator/core/run_config.h"
#include "rill/api/math/operators.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/named_optimizers.h"
#include "rill/api/train/sync_replicas_optimizer.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::estimator {
namespace {

constexpr std::int64_t kLargeSlice = std::int64_t{64} << 20;

// Variables of more than this many bytes go to several parameter servers.
Partitioner by_size(const RunConfig& config, std::int64_t min_slice_size) {
  return min_max_variable_partitioner(config.num_ps_replicas, {.min_slice_size = min_slice_size});
}
Partitioner or_by_size(const Partitioner& given, const RunConfig& config) {
  return given ? given : by_size(config, kLargeSlice);
}
Partitioner small_parts(const RunConfig& config) { return by_size(config, 256 << 10); }

VariableScopeOptions partitioned(const Partitioner& partitioner) {
  VariableScopeOptions options;
  options.partitioner = partitioner;
  return options;
}

void require_named(const Features& features) {
  require(!features.contains(""),
          "features should be a dictionary of `Tensor`s. Given type: <class 'Tensor'>");
}

void require_single(const OptimizerRef& optimizer) {
  require(dynamic_cast<const train::SyncReplicasOptimizer*>(optimizer.get()) == nullptr,
          "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not "
          "supported in DNNLinearCombined model. If you want to use this optimizer, please use "
          "either DNN or Linear model.");
}

// One of the two halves of a wide and deep model.
struct Half {
  OptimizerRef optimizer;
  std::string scope;
  Output logits;
};

Half dnn_half(const DnnLinearCombinedModel& m, const InputBatch& batch, Mode mode,
              const RunConfig& config) {
  const OptimizerRef optimizer = m.dnn_optimizer.get(kCombinedDnnLearningRate);
  require_single(optimizer);
  require(!m.dnn_hidden_units.empty(),
          "dnn_hidden_units must be defined when dnn_feature_columns is specified.");
  DnnLogitOptions options = m.dnn_options;
  options.input_layer_partitioner = or_by_size(options.input_layer_partitioner, config);
  const VariableScopeBlock scope("dnn", partitioned(small_parts(config)));
  const LogitFn logits = dnn_logit_fn_builder(m.head->logits_dimension(), m.dnn_hidden_units,
                                              m.dnn_feature_columns, options);
  return {optimizer, scope.scope()->name, logits(batch.features, mode)};
}

Half linear_half(const DnnLinearCombinedModel& m, const InputBatch& batch, Mode mode,
                 const RunConfig& config) {
  const OptimizerRef optimizer =
      m.linear_optimizer.get(combined_linear_learning_rate(m.linear_feature_columns.size()));
  require_single(optimizer);
  const Partitioner partitioner = or_by_size(m.dnn_options.input_layer_partitioner, config);
  const VariableScopeBlock scope("linear", partitioned(partitioner));
  const LogitFn logits = linear_logit_fn_builder(
      m.head->logits_dimension(), m.linear_feature_columns, m.linear_sparse_combiner);
  const Half half{optimizer, scope.scope()->name, logits(batch.features, mode)};
  summarize_layer(half.logits, half.scope);
  return half;
}

// Each half by its own optimizer; the step is counted after both.
Runnable train_halves(const std::vector<Half>& halves, Output loss) {
  const Variable global_step = train::get_global_step();
  std::vector<Node*> ops;
  for (const Half& half : halves)
    ops.push_back(&half.optimizer->minimize(loss, {.var_list = trainable_variables(half.scope)}));
  Node* both = &group(ops);
  const ControlDependencies after(std::span(&both, 1));
  return *assign_add(global_step, 1).node;
}

}  // namespace

OptimizerRef OptimizerChoice::get(double learning_rate) const {
  if (one_) return one_;
  if (make_) return make_();
  std::vector<std::string> names;
  for (const train::NamedOptimizer& known : train::named_optimizers()) {
    if (!known.of_estimators) continue;
    if (name_ == known.name) return known.make(learning_rate);
    names.push_back(str_cat("'", known.name, "'"));
  }
  raise(Code::kInvalidArgument, "Unsupported optimizer name: ", name_, ". Supported names are: (",
        join(names, ", "), ")");
}

double combined_linear_learning_rate(std::size_t columns) {
  return std::min(0.005, 1.0 / std::sqrt(static_cast<double>(columns)));
}

ModelFn dnn_model_fn(DnnModel model) {
  return [m = std::move(model)](const InputBatch& batch, Mode mode, const RunConfig& config) {
    const OptimizerRef optimizer = m.optimizer.get(kDnnLearningRate);
    require_named(batch.features);
    const VariableScopeBlock scope("dnn", partitioned(small_parts(config)));
    DnnLogitOptions options = m.options;
    options.input_layer_partitioner = or_by_size(options.input_layer_partitioner, config);
    const LogitFn logits = dnn_logit_fn_builder(m.head->logits_dimension(), m.hidden_units,
                                                m.feature_columns, options);
    return m.head->create_estimator_spec({.features = batch.features,
                                          .mode = mode,
                                          .logits = logits(batch.features, mode),
                                          .labels = batch.labels,
                                          .optimizer = optimizer});
  };
}

ModelFn linear_model_fn(LinearModel model) {
  return [m = std::move(model)](const InputBatch& batch, Mode mode, const RunConfig& config) {
    require_named(batch.features);
    const VariableScopeBlock scope("linear", partitioned(or_by_size(m.partitioner, config)));
    const LogitFn logits =
        linear_logit_fn_builder(m.head->logits_dimension(), m.feature_columns, m.sparse_combiner);
    const Output found = logits(batch.features, mode);
    return m.head->create_estimator_spec({.features = batch.features,
                                          .mode = mode,
                                          .logits = found,
                                          .labels = batch.labels,
                                          .optimizer = m.optimizer.get(kLinearLearningRate)});
  };
}

ModelFn dnn_linear_combined_model_fn(DnnLinearCombinedModel model) {
  require(!model.linear_feature_columns.empty() || !model.dnn_feature_columns.empty(),
          "Either linear_feature_columns or dnn_feature_columns must be defined.");
  return [m = std::move(model)](const InputBatch& batch, Mode mode, const RunConfig& config) {
    require_named(batch.features);
    std::vector<Half> halves;
    if (!m.dnn_feature_columns.empty()) halves.push_back(dnn_half(m, batch, mode, config));
    if (!m.linear_feature_columns.empty()) halves.push_back(linear_half(m, batch, mode, config));
    const Output logits = halves.size() == 1
                              ? halves[0].logits
                              : operators::add(halves[0].logits, halves[1].logits, call_site());
    return m.head->create_estimator_spec(
        {.features = batch.features,
         .mode = mode,
         .logits = logits,
         .labels = batch.labels,
         .train_op_fn = [&](Output loss) { return train_halves(halves, loss); }});
  };
}

ModelFn baseline_model_fn(BaselineModel model) {
  return [m = std::move(model)](const InputBatch& batch, Mode mode, const RunConfig&) {
    const LogitFn logits = baseline_logit_fn_builder(m.head->logits_dimension(), m.weight_key);
    const Output found = logits(batch.features, mode);
    return m.head->create_estimator_spec(
        {.features = batch.features,
         .mode = mode,
         .logits = found,
         .labels = batch.labels,
         .train_op_fn = [&](Output loss) -> Runnable {
           return m.optimizer.get(kBaselineLearningRate)
               ->minimize(loss, {.global_step = train::get_global_step()});
         }});
  };
}

}  // namespace rill::estimator
