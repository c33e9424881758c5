#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/estimator/canned/layer_state.h"
#include "rill/api/estimator/canned/logits.h"
#include "rill/api/estimator/canned/summaries.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/layers/core_layers.h"
#include "rill/api/layers/normalization_layers.h"
#include "rill/api/nn/activations.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::estimator {
namespace {

namespace fc = feature_column;

Output dense_part(const fc::DenseColumn& column, fc::FeatureTransformationCache& cache,
                  LayerState& state) {
  const Block in(scope_name_of(column), {}, call_site());
  const Output tensor = column.get_dense_tensor(cache, state);
  const Output examples = parts::item(shape(tensor), 0);
  const int count = static_cast<int>(column.variable_shape().element_count());
  return raw::Reshape(tensor, parts::list_of({examples, count}));
}

// All columns side by side; their variables are made first.
Output input_part(const Features& features, const Columns& columns,
                  const Partitioner& partitioner) {
  VariableScopeOptions options;
  options.partitioner = partitioner;
  const VariableScopeBlock around("input_from_feature_columns", options);
  const Columns sorted = fc::sorted_columns(columns);
  for (const fc::ColumnRef& column : sorted)
    require(dynamic_cast<const fc::DenseColumn*>(column.get()) != nullptr,
            "Items of feature_columns must be a <class 'DenseColumn'>. Given: ", column->text(),
            ". You can wrap a categorical column with an embedding_column or indicator_column.");
  const Block in({}, "input_layer", call_site());
  LayerState state;
  {
    const VariableScopeBlock layer("input_layer", without_name_scope());
    for (const fc::ColumnRef& column : sorted) {
      const VariableScopeBlock own(scope_name_of(*column), without_name_scope());
      column->create_state(state);
    }
  }
  fc::FeatureTransformationCache cache(features);
  std::vector<Output> outputs;
  for (const fc::ColumnRef& column : sorted)
    outputs.push_back(dense_part(dynamic_cast<const fc::DenseColumn&>(*column), cache, state));
  fc::verify_same_batch_size(outputs, sorted);
  return concat({outputs.begin(), outputs.end()}, -1);
}

// The tag of summaries of a layer: the name of its variable scope.
std::string full_name(const std::string& layer) {
  const std::string& outer = get_variable_scope()->name;
  return outer.empty() ? layer : outer + "/" + layer;
}

Output normalized(Output x, std::size_t i, bool training) {
  const std::string layer = str_cat("hiddenlayer_", i);
  const std::string names = current_scope().name();
  const VariableScopeBlock own(layer, without_name_scope());
  const NameScope in(names.empty() ? layer + "/" : names + "/" + layer + "/");
  return layers::batch_normalization(
      x, {.momentum = 0.999, .training = training, .name = str_cat("batchnorm_", i)});
}

struct Model {
  std::int64_t units;
  std::vector<std::int64_t> hidden_units;
  Columns columns;
  DnnLogitOptions options;

  Output operator()(const Features& features, Mode mode) const {
    const bool training = mode == Mode::kTrain;
    const VariableScopeBlock resources(get_variable_scope(), with_resources());
    Output net = input_part(features, columns, options.input_layer_partitioner);
    for (std::size_t i = 0; i < hidden_units.size(); ++i) {
      const std::string layer = str_cat("hiddenlayer_", i);
      net = layers::dense(net, hidden_units[i],
                          {.activation = options.activation_fn,
                           .kernel_initializer = glorot_uniform_initializer(),
                           .name = layer});
      if (options.dropout && training)
        net = layers::dropout(net, {.rate = *options.dropout, .training = true});
      if (options.batch_norm) net = normalized(net, i, training);
      summarize_layer(net, full_name(layer));
    }
    const Output logits = layers::dense(
        net, units, {.kernel_initializer = glorot_uniform_initializer(), .name = "logits"});
    summarize_layer(logits, full_name("logits"));
    return logits;
  }
};

}  // namespace

layers::Activation DnnLogitOptions::relu_activation() {
  return [](Output x) { return nn::relu(x); };
}

LogitFn dnn_logit_fn_builder(std::int64_t units, const std::vector<std::int64_t>& hidden_units,
                             const Columns& feature_columns, const DnnLogitOptions& options) {
  return Model{units, hidden_units, feature_columns, options};
}

Output call_logit_fn(const LogitFn& logit_fn, const Features& features, Mode mode) {
  require(bool(logit_fn), "logit_fn must be a function of features and mode.");
  return logit_fn(features, mode);
}

}  // namespace rill::estimator
