#include "rill/api/estimator/canned/rnn.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/feature_column/input_layer.h"
#include "rill/api/gen/array.h"
#include "rill/api/layers/core_layers.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"
#include "rill/api/rnn/cell_wrappers.h"
#include "rill/api/rnn/cells.h"
#include "rill/api/rnn/dynamic_rnn.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/global_step.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::estimator {
namespace {

namespace fc = feature_column;
using nn::rnn_cell::RNNCell;

std::shared_ptr<RNNCell> one_cell(std::int64_t units, const std::string& type) {
  if (type == "basic_rnn") return std::make_shared<nn::rnn_cell::BasicRNNCell>(units);
  if (type == "lstm") return std::make_shared<nn::rnn_cell::LSTMCell>(units);
  if (type == "gru") return std::make_shared<nn::rnn_cell::GRUCell>(units);
  raise(Code::kInvalidArgument, "cell_type should be one of basic_rnn, gru, lstm. Given: ", type);
}

struct RnnModel {
  HeadRef head;
  Columns sequence_columns;
  RnnCellFn cell_fn;
  RNNOptions options;

  EstimatorSpec operator()(const InputBatch& batch, Mode mode, const RunConfig& config) const {
    VariableScopeOptions parts;
    parts.partitioner = min_max_variable_partitioner(config.num_ps_replicas);
    const VariableScopeBlock scope("rnn", parts);
    return head->create_estimator_spec({.features = batch.features,
                                        .mode = mode,
                                        .logits = logits(batch.features, mode, config),
                                        .labels = batch.labels,
                                        .train_op_fn = [&](Output loss) { return train(loss); }});
  }

 private:
  fc::TensorSequenceLengthPair inputs(const Features& features, const RunConfig& config) const {
    VariableScopeOptions parts;
    parts.partitioner = options.input_layer_partitioner;
    if (!parts.partitioner)
      parts.partitioner =
          min_max_variable_partitioner(config.num_ps_replicas, {.min_slice_size = 64 << 20});
    const VariableScopeBlock scope("sequence_input_layer", parts);
    fc::TensorSequenceLengthPair found = fc::sequence_input_layer(features, sequence_columns);
    summaries::histogram("sequence_length", found.sequence_length);
    if (options.context_feature_columns.empty()) return found;
    const Output context = fc::input_layer(features, options.context_feature_columns);
    const Output steps = parts::item(shape(found.dense_tensor), 1);
    const Output tiled = raw::Tile(expand_dims(context, 1), parts::list_of({1, steps, 1}));
    found.dense_tensor = concat({found.dense_tensor, tiled}, 2);
    return found;
  }

  // The outputs of each sequence's last step.
  static Output last_step(Output outputs, Output length) {
    const Block in({}, "select_last_activations", call_site());
    const Output rows = range(parts::item(shape(outputs), 0));
    const Output last = operators::sub(cast(length, rows.dtype()), 1, call_site());
    return raw::GatherNd(outputs, stack({rows, last}, {.axis = 1}));
  }

  Output logits(const Features& features, Mode mode, const RunConfig& config) const {
    const auto [steps, length] = inputs(features, config);
    const std::shared_ptr<nn::Cell> cell = cell_fn(mode);
    Output outputs =
        nn::dynamic_rnn(*cell, steps, {.sequence_length = length, .dtype = DType::f32}).output();
    if (!options.return_sequences) outputs = last_step(outputs, length);
    const VariableScopeBlock scope("logits");
    return layers::dense(outputs, head->logits_dimension(),
                         {.kernel_initializer = glorot_uniform_initializer()});
  }

  Runnable train(Output loss) const {
    const OptimizerRef optimizer = options.optimizer.get(kDnnLearningRate);
    const Variable step = train::get_global_step();
    if (options.clip_norm <= 0) return optimizer->minimize(loss, {.global_step = step});
    auto items = optimizer->compute_gradients(loss);
    std::vector<Gradient> gradients;
    for (const auto& item : items) gradients.push_back(item.gradient);
    const auto clipped = clip_by_global_norm(gradients, options.clip_norm).first;
    for (std::size_t i = 0; i < items.size(); ++i) items[i].gradient = clipped[i];
    return optimizer->apply_gradients(items, {.global_step = step});
  }
};

}  // namespace

RnnCellFn rnn_cell_fn(const std::vector<std::int64_t>& num_units, const std::string& cell_type) {
  require(!num_units.empty(), "num_units must hold the size of one cell or more.");
  return [=](Mode) -> std::shared_ptr<nn::Cell> {
    if (num_units.size() == 1) return one_cell(num_units[0], cell_type);
    std::vector<std::shared_ptr<RNNCell>> cells;
    for (const std::int64_t units : num_units) cells.push_back(one_cell(units, cell_type));
    return std::make_shared<nn::rnn_cell::MultiRNNCell>(cells);
  };
}

RNNClassifier::RNNClassifier(const Columns& sequence_feature_columns, const RnnCellFn& cell_fn,
                             const RNNOptions& options)
    : Estimator(RnnModel{class_head(options), sequence_feature_columns, cell_fn, options},
                {.model_dir = options.model_dir, .config = options.config}) {}
RNNEstimator::RNNEstimator(const HeadRef& head, const Columns& sequence_feature_columns,
                           const RnnCellFn& cell_fn, const RNNOptions& options)
    : Estimator(RnnModel{head, sequence_feature_columns, cell_fn, options},
                {.model_dir = options.model_dir, .config = options.config}) {}

}  // namespace rill::estimator
