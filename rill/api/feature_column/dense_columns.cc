// Dense columns that are made of categorical ones.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/feature_column/column_text.h"
#include "rill/api/feature_column/embedding_parts.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/reduce.h"
#include "rill/api/sparse/sparse_ops.h"

namespace rill::feature_column {
namespace {

bool is_sequence(const CategoricalColumn& column) {
  return dynamic_cast<const SequenceCategoricalColumn*>(&column) != nullptr;
}

void require_no_sequence(const char* kind, const FeatureColumn& column,
                         const CategoricalColumn& ids) {
  require(
      !is_sequence(ids), "In ", kind, ": ", column.name(),
      ". categorical_column must not be of type _SequenceCategoricalColumn. Suggested fix A: If "
      "you wish to use DenseFeatures, use a non-sequence categorical_column_with_*. Suggested "
      "fix B: If you wish to create sequence input, use SequenceFeatures instead of "
      "DenseFeatures. Given: ",
      ids.text());
}

void require_sequence(const char* kind, const FeatureColumn& column, const CategoricalColumn& ids) {
  require(is_sequence(ids), "In ", kind, ": ", column.name(),
          ". categorical_column must be of type SequenceCategoricalColumn to use SequenceFeatures. "
          "Suggested fix: Use one of sequence_categorical_column_with_*. Given: ",
          ids.text());
}

// The weights of each id, added up.
Output weighted_indicator(const IdWeightPair& ids, int size) {
  SparseTensor weights = sparse::merge({ids.id_tensor}, *ids.weight_tensor, {size});
  // What is no id has left the shape.
  weights = sparse::slice(weights, parts::ints({0, 0}), weights.dense_shape);
  return raw::ScatterNd(weights.indices, weights.values, weights.dense_shape);
}

}  // namespace

rill::Features IndicatorColumn::parse_example_spec() const {
  return categorical_column->parse_example_spec();
}

Transformed IndicatorColumn::transform_feature(FeatureTransformationCache& cache,
                                               StateManager& state) const {
  const IdWeightPair ids = categorical_column->get_sparse_tensors(cache, state);
  const int size = as_int32(categorical_column->num_buckets());
  if (ids.weight_tensor) return weighted_indicator(ids, size);
  const Output as_matrix = sparse::to_dense(ids.id_tensor, {.default_value = -1});
  const Output rows = one_hot(as_matrix, size, {.on_value = 1.0, .off_value = 0.0});
  return reduce_sum(rows, {.axis = parts::ints({-2})});
}

PartialShape IndicatorColumn::variable_shape() const {
  return {1, categorical_column->num_buckets()};
}

Output IndicatorColumn::get_dense_tensor(FeatureTransformationCache& cache,
                                         StateManager& state) const {
  require_no_sequence("indicator_column", *this, *categorical_column);
  return dense(cache.get(*this, state));
}

TensorSequenceLengthPair IndicatorColumn::get_sequence_dense_tensor(
    FeatureTransformationCache& cache, StateManager& state) const {
  require_sequence("indicator_column", *this, *categorical_column);
  const Output rows = dense(cache.get(*this, state));
  const IdWeightPair ids = categorical_column->get_sparse_tensors(cache, state);
  return {rows, sequence_length(ids.id_tensor)};
}

std::string IndicatorColumn::make_text() const {
  return tuple_text("IndicatorColumn", {{"categorical_column", categorical_column->text()}});
}

rill::Features EmbeddingColumn::parse_example_spec() const {
  return categorical_column->parse_example_spec();
}

Transformed EmbeddingColumn::transform_feature(FeatureTransformationCache& cache,
                                               StateManager& state) const {
  return cache.get(*categorical_column, state);
}

StateManager::VariableRequest EmbeddingColumn::weights_request() const {
  return {Shape{categorical_column->num_buckets(), settings.dimension}, settings.initializer,
          settings.trainable};
}

void EmbeddingColumn::create_state(StateManager& state) const {
  state.create_variable(*this, "embedding_weights", weights_request());
}

PartialShape EmbeddingColumn::variable_shape() const { return {settings.dimension}; }

Output EmbeddingColumn::embedded(const IdWeightPair& ids, StateManager& state) const {
  const AnyVariable table = state.get_variable(*this, "embedding_weights", weights_request());
  load_from_checkpoint(table, settings);
  return embedding_rows(table, ids, settings, name() + "_weights");
}

Output EmbeddingColumn::get_dense_tensor(FeatureTransformationCache& cache,
                                         StateManager& state) const {
  require_no_sequence("embedding_column", *this, *categorical_column);
  return embedded(categorical_column->get_sparse_tensors(cache, state), state);
}

TensorSequenceLengthPair EmbeddingColumn::get_sequence_dense_tensor(
    FeatureTransformationCache& cache, StateManager& state) const {
  require_sequence("embedding_column", *this, *categorical_column);
  const IdWeightPair ids = categorical_column->get_sparse_tensors(cache, state);
  const Output rows = embedded(ids, state);
  return {rows, sequence_length(ids.id_tensor)};
}

std::string EmbeddingColumn::make_text() const {
  return tuple_text("EmbeddingColumn",
                    {{"categorical_column", categorical_column->text()},
                     {"dimension", std::to_string(settings.dimension)},
                     {"combiner", quoted(settings.combiner)},
                     {"initializer", settings.initializer_text},
                     {"ckpt_to_load_from", or_none(settings.ckpt_to_load_from)},
                     {"tensor_name_in_ckpt", or_none(settings.tensor_name_in_ckpt)},
                     {"max_norm", or_none(settings.max_norm)},
                     {"trainable", truth_text(settings.trainable)}});
}

void SharedEmbeddingColumn::create_state(StateManager&) const {
  require(false, "Items of feature_columns must be a FeatureColumn. Given: ", text());
}

Output SharedEmbeddingColumn::shared_tensor(FeatureTransformationCache& cache,
                                            StateManager& state) const {
  const Block in("", name(), std::source_location::current());
  const IdWeightPair ids = categorical_column->get_sparse_tensors(cache, state);
  const AnyVariable table = shared_variable(
      shared_embedding_collection_name, weights_request().shape,
      [&] { return state.get_variable(*this, "embedding_weights", weights_request()); });
  load_from_checkpoint(table, settings);
  return embedding_rows(table, ids, settings, name() + "_weights");
}

Output SharedEmbeddingColumn::get_dense_tensor(FeatureTransformationCache& cache,
                                               StateManager& state) const {
  require_no_sequence("embedding_column", *this, *categorical_column);
  return shared_tensor(cache, state);
}

TensorSequenceLengthPair SharedEmbeddingColumn::get_sequence_dense_tensor(
    FeatureTransformationCache& cache, StateManager& state) const {
  require_sequence("embedding_column", *this, *categorical_column);
  const Output rows = shared_tensor(cache, state);
  const IdWeightPair ids = categorical_column->get_sparse_tensors(cache, state);
  return {rows, sequence_length(ids.id_tensor)};
}

std::string SharedEmbeddingColumn::make_text() const {
  return tuple_text("_SharedEmbeddingColumn",
                    {{"categorical_column", categorical_column->text()},
                     {"dimension", std::to_string(settings.dimension)},
                     {"combiner", quoted(settings.combiner)},
                     {"initializer", settings.initializer_text},
                     {"shared_embedding_collection_name", quoted(shared_embedding_collection_name)},
                     {"ckpt_to_load_from", or_none(settings.ckpt_to_load_from)},
                     {"tensor_name_in_ckpt", or_none(settings.tensor_name_in_ckpt)},
                     {"max_norm", or_none(settings.max_norm)},
                     {"trainable", truth_text(settings.trainable)}});
}

}  // namespace rill::feature_column
