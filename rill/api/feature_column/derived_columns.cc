// The functions that make columns of columns.
#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "rill/api/core/graph_only.h"
#include "rill/api/feature_column/column_text.h"
#include "rill/api/feature_column/columns.h"

namespace rill::feature_column {
namespace {

// Of what a weighted or sequence column is made.
CategoricalRef innermost(CategoricalRef column) {
  while (true) {
    if (const auto* weighted = dynamic_cast<const WeightedCategoricalColumn*>(column.get())) {
      column = weighted->categorical_column;
    } else if (const auto* steps = dynamic_cast<const SequenceCategoricalColumn*>(column.get())) {
      column = steps->categorical_column;
    } else {
      return column;
    }
  }
}

EmbeddingSettings settings_of(std::int64_t dimension, const EmbeddingColumnOptions& options) {
  require(dimension >= 1, "Invalid dimension ", dimension, ".");
  require(options.ckpt_to_load_from.has_value() == options.tensor_name_in_ckpt.has_value(),
          "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.");
  EmbeddingSettings settings{dimension,
                             options.combiner,
                             options.initializer,
                             options.initializer_text,
                             options.ckpt_to_load_from,
                             options.tensor_name_in_ckpt,
                             options.max_norm,
                             options.trainable,
                             options.use_safe_embedding_lookup};
  if (!settings.initializer)
    settings.initializer = truncated_normal_initializer(
        {.mean = 0.0, .stddev = 1 / std::sqrt(static_cast<double>(dimension)), .seed = {}});
  if (settings.initializer_text.empty()) settings.initializer_text = numbered_text("initializer");
  return settings;
}

void require_same_kind(const CategoricalRef& first, std::int64_t buckets,
                       const CategoricalRef& other) {
  const FeatureColumn &a = *first, &b = *other;
  require(typeid(a) == typeid(b),
          "To use shared_embedding_column, all categorical_columns must have the same type, or be "
          "weighted_categorical_column or sequence column of the same type. Given column: ",
          a.text(), " does not match given column: ", b.text());
  require(buckets == other->num_buckets(),
          "To use shared_embedding_column, all categorical_columns must have the same number of "
          "buckets. Given column: ",
          a.text(), " with buckets: ", buckets, " does not match column: ", b.text(),
          " with buckets: ", other->num_buckets());
}

std::string shared_name(const std::vector<CategoricalRef>& sorted) {
  std::string name;
  for (const CategoricalRef& column : sorted) name += column->name() + "_";
  return name + "shared_embedding";
}

SequenceCategoricalRef sequence_of(CategoricalRef ids) {
  auto column = std::make_shared<SequenceCategoricalColumn>();
  column->categorical_column = std::move(ids);
  return column;
}

void require_categorical(const CategoricalRef& column) {
  require(column != nullptr,
          "Unsupported input type. Input must be a CategoricalColumn. Given: None");
}

}  // namespace

std::shared_ptr<const WeightedCategoricalColumn> weighted_categorical_column(
    CategoricalRef categorical_column, std::string weight_feature_key, DType dtype) {
  require(kRealTypes.contains(dtype), "dtype ", type_text(dtype), " is not convertible to float.");
  require_categorical(categorical_column);
  auto column = std::make_shared<WeightedCategoricalColumn>();
  column->categorical_column = std::move(categorical_column);
  column->weight_feature_key = std::move(weight_feature_key);
  column->dtype = dtype;
  return column;
}

std::shared_ptr<const CrossedColumn> crossed_column(std::vector<CrossedKey> keys,
                                                    std::int64_t hash_bucket_size,
                                                    std::optional<std::int64_t> hash_key) {
  require(hash_bucket_size >= 1,
          "hash_bucket_size must be > 1. hash_bucket_size: ", hash_bucket_size);
  auto column = std::make_shared<CrossedColumn>();
  column->keys = std::move(keys);
  column->hash_bucket_size = hash_bucket_size;
  column->hash_key = hash_key;
  std::vector<std::string> texts;
  for (const CrossedKey& key : column->keys) texts.push_back(key.text());
  require(column->keys.size() >= 2,
          "keys must be a list with length > 1. Given: ", tuple_text(texts));
  for (const CrossedKey& key : column->keys)
    require(dynamic_cast<const HashedCategoricalColumn*>(key.column().get()) == nullptr,
            "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
            "crossing will increase probability of collision. Instead, use the feature name as a "
            "string. Given: ",
            key.text());
  return column;
}

std::shared_ptr<const IndicatorColumn> indicator_column(CategoricalRef categorical_column) {
  require_categorical(categorical_column);
  auto column = std::make_shared<IndicatorColumn>();
  column->categorical_column = std::move(categorical_column);
  return column;
}

std::shared_ptr<const EmbeddingColumn> embedding_column(CategoricalRef categorical_column,
                                                        std::int64_t dimension,
                                                        const EmbeddingColumnOptions& options) {
  require_categorical(categorical_column);
  auto column = std::make_shared<EmbeddingColumn>();
  column->categorical_column = std::move(categorical_column);
  column->settings = settings_of(dimension, options);
  return column;
}

std::vector<std::shared_ptr<const SharedEmbeddingColumn>> shared_embedding_columns(
    const std::vector<CategoricalRef>& categorical_columns, std::int64_t dimension,
    const SharedEmbeddingOptions& options) {
  require_graph_mode("shared_embedding_columns are not supported when eager execution is enabled.");
  const EmbeddingSettings settings = settings_of(dimension, options);
  require(!categorical_columns.empty(), "categorical_columns must not be empty.");
  for (const CategoricalRef& column : categorical_columns) require_categorical(column);
  std::vector<CategoricalRef> sorted = categorical_columns;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a->name() < b->name(); });
  const CategoricalRef first = innermost(sorted[0]);
  const std::int64_t buckets = sorted[0]->num_buckets();
  for (std::size_t i = 1; i < sorted.size(); ++i)
    require_same_kind(first, buckets, innermost(sorted[i]));
  std::vector<std::shared_ptr<const SharedEmbeddingColumn>> columns;
  for (const CategoricalRef& ids : categorical_columns) {
    auto column = std::make_shared<SharedEmbeddingColumn>();
    column->categorical_column = ids;
    column->settings = settings;
    column->shared_embedding_collection_name = options.shared_embedding_collection_name.empty()
                                                   ? shared_name(sorted)
                                                   : options.shared_embedding_collection_name;
    columns.push_back(std::move(column));
  }
  return columns;
}

SequenceCategoricalRef sequence_categorical_column_with_identity(
    std::string key, std::int64_t num_buckets, const IdentityColumnOptions& options) {
  return sequence_of(categorical_column_with_identity(std::move(key), num_buckets, options));
}

SequenceCategoricalRef sequence_categorical_column_with_hash_bucket(
    std::string key, std::int64_t hash_bucket_size, const HashBucketOptions& options) {
  return sequence_of(
      categorical_column_with_hash_bucket(std::move(key), hash_bucket_size, options));
}

SequenceCategoricalRef sequence_categorical_column_with_vocabulary_list(
    std::string key, Tensor vocabulary_list, const VocabularyListOptions& options) {
  return sequence_of(
      categorical_column_with_vocabulary_list(std::move(key), std::move(vocabulary_list), options));
}

SequenceCategoricalRef sequence_categorical_column_with_vocabulary_file(
    std::string key, std::string vocabulary_file, const VocabularyFileOptions& options) {
  return sequence_of(
      categorical_column_with_vocabulary_file(std::move(key), std::move(vocabulary_file), options));
}

}  // namespace rill::feature_column
