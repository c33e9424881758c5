#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/feature_column/columns.h"
#include "rill/api/feature_column/input_layer.h"
#include "rill/api/feature_column/parse_spec.h"

// The feature columns of tf.contrib.layers, as those of tf.feature_column: how values are combined
// is said where a table is made.
namespace rill::contrib::layers {

struct RealValuedColumnOptions {
  std::int64_t dimension = 1;
  std::optional<Tensor> default_value = {};
  DType dtype = DType::f32;
  feature_column::Normalizer normalizer = {};
};
inline feature_column::NumericRef real_valued_column(const std::string& column_name,
                                                     const RealValuedColumnOptions& o = {}) {
  return feature_column::numeric_column(column_name, {.shape = {o.dimension},
                                                      .default_value = o.default_value,
                                                      .dtype = o.dtype,
                                                      .normalizer_fn = o.normalizer});
}
using feature_column::bucketized_column;

inline auto sparse_column_with_hash_bucket(const std::string& column_name,
                                           std::int64_t hash_bucket_size,
                                           DType dtype = DType::string) {
  return feature_column::categorical_column_with_hash_bucket(column_name, hash_bucket_size,
                                                             {.dtype = dtype});
}
struct SparseKeysOptions {
  std::int64_t default_value = -1;
  DType dtype = DType::string;
};
inline auto sparse_column_with_keys(const std::string& column_name,
                                    const std::vector<std::string>& keys,
                                    const SparseKeysOptions& o = {}) {
  return feature_column::categorical_column_with_vocabulary_list(
      column_name, keys, {.dtype = o.dtype, .default_value = o.default_value});
}
struct SparseVocabularyFileOptions {
  std::int64_t num_oov_buckets = 0;
  std::optional<std::int64_t> vocab_size = {};
  std::int64_t default_value = -1;  // without buckets for other words
  DType dtype = DType::string;
};
inline auto sparse_column_with_vocabulary_file(const std::string& column_name,
                                               const std::string& vocabulary_file,
                                               const SparseVocabularyFileOptions& o = {}) {
  return feature_column::categorical_column_with_vocabulary_file(
      column_name, vocabulary_file,
      {.vocabulary_size = o.vocab_size,
       .num_oov_buckets = o.num_oov_buckets,
       .default_value = o.num_oov_buckets > 0 ? std::nullopt : std::optional(o.default_value),
       .dtype = o.dtype});
}
inline auto sparse_column_with_integerized_feature(const std::string& column_name,
                                                   std::int64_t bucket_size) {
  return feature_column::categorical_column_with_identity(column_name, bucket_size);
}
inline auto weighted_sparse_column(feature_column::CategoricalRef sparse_id_column,
                                   const std::string& weight_column_name,
                                   DType dtype = DType::f32) {
  return feature_column::weighted_categorical_column(std::move(sparse_id_column),
                                                     weight_column_name, dtype);
}
inline auto one_hot_column(feature_column::CategoricalRef sparse_id_column) {
  return feature_column::indicator_column(std::move(sparse_id_column));
}
using feature_column::crossed_column;
using feature_column::embedding_column;

// What the columns read in serialised examples, and the columns of a batch side by side.
inline Features create_feature_spec_for_parsing(const feature_column::Columns& feature_columns) {
  return feature_column::make_parse_example_spec(feature_columns);
}
inline Output input_from_feature_columns(
    const feature_column::Features& columns_to_tensors,
    const feature_column::Columns& feature_columns,
    const feature_column::InputLayerOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return feature_column::input_layer(columns_to_tensors, feature_columns, options, at);
}

}  // namespace rill::contrib::layers
namespace rill::contrib::slim {
using layers::bucketized_column;
using layers::create_feature_spec_for_parsing;
using layers::crossed_column;
using layers::embedding_column;
using layers::input_from_feature_columns;
using layers::one_hot_column;
using layers::real_valued_column;
using layers::sparse_column_with_hash_bucket;
using layers::sparse_column_with_integerized_feature;
using layers::sparse_column_with_keys;
using layers::sparse_column_with_vocabulary_file;
using layers::weighted_sparse_column;
}  // namespace rill::contrib::slim
