#include "rill/api/feature_column/input_layer.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/feature_column/scope_state.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::feature_column {
namespace {

using LayerScope = std::unique_ptr<VariableScopeBlock>;

LayerScope layer_scope(const InputLayerOptions& options, const char* otherwise,
                       std::source_location at) {
  if (!options.own_scope) return nullptr;
  if (options.name.empty()) return VariableScopeBlock::with_default_name(otherwise, {}, at);
  return std::make_unique<VariableScopeBlock>(options.name, VariableScopeOptions{}, at);
}

}  // namespace

AnyVariable ScopeState::get_variable(const FeatureColumn&, const std::string& name,
                                     const VariableRequest& request) {
  GetVariableOptions options;
  options.shape = request.shape;
  options.dtype = DType::f32;
  options.initializer = request.initializer;
  options.trainable = request.trainable && trainable_;
  options.collections = collections_;
  return get_any_variable(name, options);
}

std::vector<std::string> with_model_collections(std::vector<std::string> given) {
  for (const char* name : {GraphKeys::GLOBAL_VARIABLES, GraphKeys::MODEL_VARIABLES})
    if (std::find(given.begin(), given.end(), name) == given.end()) given.push_back(name);
  return given;
}

std::vector<Variable> variables_here() { return global_variables(get_variable_scope()->name); }

Output input_layer(const Features& features, const Columns& feature_columns,
                   const InputLayerOptions& options, std::source_location at) {
  require_no_duplicates(feature_columns);
  for (const ColumnRef& column : feature_columns)
    require(dynamic_cast<const DenseColumn*>(column.get()) != nullptr,
            "Items of feature_columns must be a _DenseColumn. You can wrap a categorical column "
            "with an embedding_column or indicator_column. Given: ",
            column->text());
  const Columns columns = sorted_columns(feature_columns);
  ScopeState state(with_model_collections(options.weight_collections), options.trainable);
  const LayerScope layer = layer_scope(options, "input_layer", at);
  FeatureTransformationCache cache(features);
  std::vector<Output> outputs;
  for (const ColumnRef& column : columns) {
    const auto& numbers = dynamic_cast<const DenseColumn&>(*column);
    const LayerScope in = VariableScopeBlock::with_default_name(column->var_scope_name(), {}, at);
    const Output tensor = numbers.get_dense_tensor(cache, state);
    const int count = as_int32(numbers.variable_shape().element_count());
    const Output examples = parts::item(shape(tensor), 0);
    outputs.push_back(raw::Reshape(tensor, parts::list_of({examples, count})));
    if (options.cols_to_vars) options.cols_to_vars->emplace_back(column, variables_here());
    if (options.cols_to_output_tensors)
      options.cols_to_output_tensors->emplace_back(column, outputs.back());
  }
  verify_same_batch_size(outputs, columns);
  return concat({outputs.begin(), outputs.end()}, 1);
}

InputLayer::InputLayer(Columns feature_columns, SharedInputOptions options)
    : columns_(std::move(feature_columns)),
      options_(std::move(options)),
      scope_(options_.name, {.create_scope_now = options_.create_scope_now}) {}

Output InputLayer::operator()(const Features& features, std::source_location at) {
  return scope_([&] {
    return input_layer(features, columns_,
                       {.weight_collections = options_.weight_collections,
                        .trainable = options_.trainable,
                        .own_scope = false},
                       at);
  });
}

TensorSequenceLengthPair sequence_input_layer(const Features& features,
                                              const Columns& feature_columns,
                                              const InputLayerOptions& options,
                                              std::source_location at) {
  require_no_duplicates(feature_columns);
  for (const ColumnRef& column : feature_columns)
    require(dynamic_cast<const SequenceDenseColumn*>(column.get()) != nullptr,
            "All feature_columns must be of type _SequenceDenseColumn. You can wrap a "
            "sequence_categorical_column with an embedding_column or indicator_column. Given: ",
            column->text());
  const Columns columns = sorted_columns(feature_columns);
  std::optional<std::vector<std::string>> collections;
  if (!options.weight_collections.empty()) collections = options.weight_collections;
  ScopeState state(collections, options.trainable);
  const LayerScope layer = layer_scope(options, "sequence_input_layer", at);
  FeatureTransformationCache cache(features);
  std::vector<Output> outputs, lengths;
  for (const ColumnRef& column : columns) {
    const auto& steps = dynamic_cast<const SequenceDenseColumn&>(*column);
    const LayerScope in = VariableScopeBlock::with_default_name(column->var_scope_name(), {}, at);
    const auto [tensor, length] = steps.get_sequence_dense_tensor(cache, state);
    outputs.push_back(flat_steps(tensor, steps));
    lengths.push_back(length);
  }
  verify_same_batch_size(outputs, columns);
  verify_same_batch_size(lengths, columns);
  const Output length = all_equal(lengths);
  return {concat({outputs.begin(), outputs.end()}, -1), length};
}

PerColumn<Transformed> transform_features(const Features& features, const Columns& feature_columns,
                                          std::source_location at) {
  const rill::Block in("", "transform_features", at);
  FeatureTransformationCache cache(features);
  ScopeState state({}, true);
  PerColumn<Transformed> made;
  for (const ColumnRef& column : sorted_columns(feature_columns)) {
    const NameScope own(column->name());
    made.emplace_back(column, cache.get(*column, state));
  }
  return made;
}

Output concatenate_context_input(const Input& context_input, const Input& sequence_input,
                                 std::source_location at) {
  const MadeAt place(at);
  const Output context = as_tensor(context_input), sequence = as_tensor(sequence_input);
  const auto checked = [](Output x, int rank, const std::string& what) -> Node* {
    require_type(base_type(x.dtype()) == DType::f32, what, " must have dtype float32; got ",
                 to_text(x.dtype()), ".");
    return &assert_rank(x, rank,
                        {.message = what + " must have rank " + std::to_string(rank), .name = {}});
  };
  const std::vector<Node*> checks = {checked(sequence, 3, "sequence_input"),
                                     checked(context, 2, "context_input")};
  Output tiled;
  {
    const ControlDependencies after(checks);
    const Output steps = parts::item(shape(sequence), 1);
    tiled = raw::Tile(expand_dims(context, 1), parts::list_of({1, steps, 1}));
  }
  return concat({sequence, tiled}, 2);
}

}  // namespace rill::feature_column
