#include "rill/api/feature_column/features_layer.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/feature_column/embedding_parts.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/feature_column/weighted_sum.h"
#include "rill/api/gen/array.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::feature_column {
namespace {

// A name with only what may stand in the names of variable scopes.
std::string as_scope_name(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '-') c = '_';
  return name;
}

// Variables that belong to a layer.
class LayerState : public StateManager {
 public:
  explicit LayerState(layers::Layer& layer) : layer_(layer) {}

  void create_variable(const FeatureColumn& column, const std::string& name,
                       const VariableRequest& request) override {
    GetVariableOptions options;
    options.shape = request.shape;
    options.dtype = DType::f32;
    options.initializer = request.initializer;
    options.trainable = request.trainable && layer_.trainable();
    options.use_resource = true;
    const AnyVariable variable = get_any_variable(name, options);
    for (const Variable& part : variables_of(variable)) layer_.track(part, *options.trainable);
    variables_.emplace(column.text() + name, variable);
  }
  AnyVariable get_variable(const FeatureColumn& column, const std::string& name,
                           const VariableRequest&) override {
    const auto found = variables_.find(column.text() + name);
    require(found != variables_.end(), "Variable does not exist.");
    return found->second;
  }
  std::shared_ptr<lookup::LookupTable> table(const FeatureColumn& column, const std::string& name,
                                             const MakeTable& make) override {
    auto& table = tables_[column.text() + name];
    if (table == nullptr) table = make();
    return table;
  }
  bool keeps_state() const override { return true; }

 private:
  layers::Layer& layer_;
  std::map<std::string, AnyVariable> variables_;
  std::map<std::string, std::shared_ptr<lookup::LookupTable>> tables_;
};

template <class Kind>
void require_kind(const Columns& columns, const char* name) {
  for (const ColumnRef& column : columns) {
    require(dynamic_cast<const SharedEmbeddingColumn*>(column.get()) == nullptr,
            "Items of feature_columns must be a FeatureColumn. Given: ", column->text());
    require(dynamic_cast<const Kind*>(column.get()) != nullptr,
            "Items of feature_columns must be a ", name,
            ". You can wrap a categorical column with an embedding_column or indicator_column. "
            "Given: ",
            column->text());
  }
}

layers::LayerOptions owned(layers::LayerOptions options) {
  options.style = layers::Style::kOwned;
  return options;
}

}  // namespace

void require_dense(const Columns& columns) { require_kind<DenseColumn>(columns, "DenseColumn"); }
void require_sequences(const Columns& columns) {
  require_kind<SequenceDenseColumn>(columns, "SequenceDenseColumn");
}

void create_states(const Columns& columns, StateManager& state, const std::string& layer_name,
                   std::source_location at) {
  for (const ColumnRef& column : columns) {
    const VariableScopeBlock layer(layer_name, {}, at);
    const VariableScopeBlock own(as_scope_name(column->name()), {}, at);
    column->create_state(state);
  }
}

Output dense_features(FeatureTransformationCache& cache, const Columns& columns,
                      StateManager& state, PerColumn<Output>* cols_to_output_tensors) {
  std::vector<Output> outputs;
  for (const ColumnRef& column : columns) {
    const NameScope in(column->name());
    const auto& numbers = dynamic_cast<const DenseColumn&>(*column);
    const Output tensor = numbers.get_dense_tensor(cache, state);
    const int count = as_int32(numbers.variable_shape().element_count());
    const Output examples = parts::item(shape(tensor), 0);
    outputs.push_back(raw::Reshape(tensor, parts::list_of({examples, count})));
    if (cols_to_output_tensors) cols_to_output_tensors->emplace_back(column, outputs.back());
  }
  verify_same_batch_size(outputs, columns);
  return concat({outputs.begin(), outputs.end()}, -1);
}

TensorSequenceLengthPair sequence_features(FeatureTransformationCache& cache,
                                           const Columns& columns, StateManager& state) {
  std::vector<Output> outputs, lengths;
  for (const ColumnRef& column : columns) {
    const NameScope in(column->name());
    const auto& steps = dynamic_cast<const SequenceDenseColumn&>(*column);
    const auto [tensor, length] = steps.get_sequence_dense_tensor(cache, state);
    outputs.push_back(flat_steps(tensor, steps));
    lengths.push_back(length);
  }
  verify_same_batch_size(lengths, columns);
  const Output length = all_equal(lengths);
  verify_same_batch_size(outputs, columns);
  return {concat({outputs.begin(), outputs.end()}, -1), length};
}

FeaturesLayer::FeaturesLayer(const char* class_name, const Columns& feature_columns,
                             layers::LayerOptions options)
    : Layer(class_name, owned(std::move(options))),
      columns_(sorted_columns(feature_columns)),
      state_(std::make_unique<LayerState>(*this)) {}

void FeaturesLayer::create_variables(std::source_location at) {
  create_states(columns_, *state_, name(), at);
}

std::vector<Output> FeaturesLayer::called(
    const Features& features, std::source_location at,
    const std::function<std::vector<Output>(FeatureTransformationCache&)>& call) {
  Features tensors;
  std::vector<Output> inputs;
  for (const auto& [key, part] : features) {
    const data::Component tensor = part.as_tensors("Const");
    if (tensor.spec().kind == data::ComponentKind::kTensor) inputs.push_back(tensor.tensor());
    if (tensor.spec().kind == data::ComponentKind::kSparse)
      inputs.push_back(tensor.sparse().values);
    tensors.emplace(key, tensor);
  }
  layers::Calling in(*this, inputs, {}, at);
  if (in.first()) {
    create_variables(at);
    in.now_built();
  }
  FeatureTransformationCache cache(tensors);
  return in.end(call(cache));
}

DenseFeatures::DenseFeatures(const Columns& feature_columns, layers::LayerOptions options)
    : FeaturesLayer("DenseFeatures", feature_columns, std::move(options)) {
  require_dense(columns_);
}

Output DenseFeatures::operator()(const Features& features, std::source_location at) {
  return called(features, at, [&](FeatureTransformationCache& cache) {
    return std::vector<Output>{dense_features(cache, columns_, *state_)};
  })[0];
}

SequenceFeatures::SequenceFeatures(const Columns& feature_columns, layers::LayerOptions options)
    : FeaturesLayer("SequenceFeatures", feature_columns, std::move(options)) {
  require_sequences(columns_);
}

TensorSequenceLengthPair SequenceFeatures::operator()(const Features& features,
                                                      std::source_location at) {
  const auto both = called(features, at, [&](FeatureTransformationCache& cache) {
    const auto made = sequence_features(cache, columns_, *state_);
    return std::vector<Output>{made.dense_tensor, made.sequence_length};
  });
  return {both[0], both[1]};
}

LinearModel::LinearModel(const Columns& feature_columns, const LinearLayerOptions& options)
    : FeaturesLayer("LinearModel", feature_columns,
                    {.name = options.name, .trainable = options.trainable}),
      units_(options.units),
      sparse_combiner_(options.sparse_combiner) {
  for (const ColumnRef& column : columns_) weight_rows(*column);  // refuses other kinds
}

void LinearModel::create_variables(std::source_location at) {
  const VariableScopeOptions without_names{.auxiliary_name_scope = false};
  const VariableScopeBlock layer(name(), without_names, at);
  for (const ColumnRef& column : columns_) {
    const VariableScopeBlock own(as_scope_name(column->name()), without_names, at);
    column->create_state(*state_);
    state_->create_variable(*column, "weights",
                            {{weight_rows(*column), units_}, zeros_initializer(), true});
  }
  GetVariableOptions options;
  options.shape = Shape{units_};
  options.dtype = DType::f32;
  options.initializer = zeros_initializer();
  options.trainable = trainable();
  options.use_resource = true;
  bias_ = get_any_variable("bias_weights", options, at);
  for (const Variable& part : bias_.variables()) track(part, trainable());
}

Output LinearModel::operator()(const Features& features, std::source_location at) {
  const NameScope model(name());  // TensorFlow has a layer inside of a model of the same name
  return called(features, at, [&](FeatureTransformationCache& cache) {
    const NameScope inner(name());
    std::vector<Output> sums;
    for (const ColumnRef& column : columns_) {
      const NameScope in(as_scope_name(column->name()));
      const AnyVariable weights = state_->get_variable(*column, "weights", {});
      sums.push_back(weighted_sum(*column, weights, cache, *state_, sparse_combiner_));
    }
    verify_same_batch_size(sums, columns_);
    return std::vector<Output>{biased_sum(sums, bias_)};
  })[0];
}

}  // namespace rill::feature_column
