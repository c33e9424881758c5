#pragma once

#include "rill/api/feature_column/column_kinds.h"

namespace rill::feature_column {

// Each makes a column and throws InvalidArgument where an argument cannot be.
//
//   auto age = numeric_column("age");
//   auto city = categorical_column_with_hash_bucket("city", 1000);
//   auto x = input_layer(features, {age, embedding_column(city, 8)});

struct NumericColumnOptions {
  std::vector<std::int64_t> shape = {1};
  std::optional<Tensor> default_value = {};  // one number for all, or as many as the shape says
  DType dtype = DType::f32;
  Normalizer normalizer_fn = {};
};
// Throws InvalidArgument for sizes below 1, a type that is no number and a default of another
// shape. The default is used by parse_example where an example lacks the feature; without one that
// fails.
NumericRef numeric_column(std::string key, const NumericColumnOptions& options = {});

// Of a numeric column with at most one dimension. `boundaries` must rise strictly; n of them make n
// + 1 buckets. Throws InvalidArgument otherwise.
std::shared_ptr<const BucketizedColumn> bucketized_column(const NumericRef& source_column,
                                                          std::vector<double> boundaries);

// default_value stands for ids out of range and must itself be in [0, num_buckets).
struct IdentityColumnOptions {
  std::optional<std::int64_t> default_value = {};
};
std::shared_ptr<const IdentityCategoricalColumn> categorical_column_with_identity(
    std::string key, std::int64_t num_buckets, const IdentityColumnOptions& options = {});

// A string or integer type.
struct HashBucketOptions {
  DType dtype = DType::string;
};
std::shared_ptr<const HashedCategoricalColumn> categorical_column_with_hash_bucket(
    std::string key, std::int64_t hash_bucket_size, const HashBucketOptions& options = {});

// Only one of default_value and num_oov_buckets may be given; without both, unknown values have no
// id.
struct VocabularyListOptions {
  DType dtype = DType::invalid;  // the vocabulary's
  std::int64_t default_value = -1, num_oov_buckets = 0;
};
// A vocabulary is a vector of strings or integers, not empty and without doubles, whose kind goes
// with the dtype; InvalidArgument otherwise.
std::shared_ptr<const VocabularyListCategoricalColumn> categorical_column_with_vocabulary_list(
    std::string key, Tensor vocabulary_list, const VocabularyListOptions& options = {});
std::shared_ptr<const VocabularyListCategoricalColumn> categorical_column_with_vocabulary_list(
    std::string key, const std::vector<std::string>& vocabulary_list,
    const VocabularyListOptions& options = {});

struct VocabularyFileOptions {
  std::optional<std::int64_t> vocabulary_size = {};  // as many as the file has lines
  std::int64_t num_oov_buckets = 0;
  std::optional<std::int64_t> default_value = {};
  DType dtype = DType::string;
};
// One value to a line. Without vocabulary_size the file is read now, to count its lines, and
// InvalidArgument is thrown where it is not there.
std::shared_ptr<const VocabularyFileCategoricalColumn> categorical_column_with_vocabulary_file(
    std::string key, std::string vocabulary_file, const VocabularyFileOptions& options = {});

// `dtype` is that of the weights, any number type.
std::shared_ptr<const WeightedCategoricalColumn> weighted_categorical_column(
    CategoricalRef categorical_column, std::string weight_feature_key, DType dtype = DType::f32);

// Two keys or more. hash_key seeds the hash; without one TensorFlow's default is taken. Throws
// InvalidArgument for a hashed column among the keys: its feature's key is better, since hashing
// twice makes more collisions.
std::shared_ptr<const CrossedColumn> crossed_column(std::vector<CrossedKey> keys,
                                                    std::int64_t hash_bucket_size,
                                                    std::optional<std::int64_t> hash_key = {});

std::shared_ptr<const IndicatorColumn> indicator_column(CategoricalRef categorical_column);

// The default initializer has mean 0 and stddev 1 / sqrt(dimension). A checkpoint and the name of a
// tensor in it are given both or not at all.
struct EmbeddingColumnOptions {
  std::string combiner = "mean";  // or "sum", "sqrtn"
  Initializer initializer = {};   // none: a truncated normal one
  std::optional<std::string> ckpt_to_load_from = {}, tensor_name_in_ckpt = {};
  std::optional<double> max_norm = {};
  bool trainable = true;
  bool use_safe_embedding_lookup = true;
  std::string initializer_text = {};  // how it prints
};
// dimension >= 1; a rule of thumb is the fourth root of the number of buckets.
std::shared_ptr<const EmbeddingColumn> embedding_column(CategoricalRef categorical_column,
                                                        std::int64_t dimension,
                                                        const EmbeddingColumnOptions& options = {});

struct SharedEmbeddingOptions {
  std::string combiner = "mean";  // or "sum", "sqrtn"
  Initializer initializer = {};   // none: a truncated normal one
  std::optional<std::string> ckpt_to_load_from = {}, tensor_name_in_ckpt = {};
  std::optional<double> max_norm = {};
  bool trainable = true;
  bool use_safe_embedding_lookup = true;
  std::string initializer_text = {};                  // how it prints
  std::string shared_embedding_collection_name = {};  // after the columns

  operator EmbeddingColumnOptions() const {
    return {.combiner = combiner,
            .initializer = initializer,
            .ckpt_to_load_from = ckpt_to_load_from,
            .tensor_name_in_ckpt = tensor_name_in_ckpt,
            .max_norm = max_norm,
            .trainable = trainable,
            .use_safe_embedding_lookup = use_safe_embedding_lookup,
            .initializer_text = initializer_text};
  }
};
// One table for several columns, in the order given. They must be of one kind, apart from weights
// and sequences, with equal numbers of buckets; else InvalidArgument.
std::vector<std::shared_ptr<const SharedEmbeddingColumn>> shared_embedding_columns(
    const std::vector<CategoricalRef>& categorical_columns, std::int64_t dimension,
    const SharedEmbeddingOptions& options = {});

struct SequenceNumericOptions {
  std::vector<std::int64_t> shape = {1};
  double default_value = 0.0;
  DType dtype = DType::f32;
  Normalizer normalizer_fn = {};  // of a sparse tensor
};
std::shared_ptr<const SequenceNumericColumn> sequence_numeric_column(
    std::string key, const SequenceNumericOptions& options = {});

// Sequences of what the functions without "sequence_" make.
using SequenceCategoricalRef = std::shared_ptr<const SequenceCategoricalColumn>;
SequenceCategoricalRef sequence_categorical_column_with_identity(
    std::string key, std::int64_t num_buckets, const IdentityColumnOptions& options = {});
SequenceCategoricalRef sequence_categorical_column_with_hash_bucket(
    std::string key, std::int64_t hash_bucket_size, const HashBucketOptions& options = {});
SequenceCategoricalRef sequence_categorical_column_with_vocabulary_list(
    std::string key, Tensor vocabulary_list, const VocabularyListOptions& options = {});
SequenceCategoricalRef sequence_categorical_column_with_vocabulary_file(
    std::string key, std::string vocabulary_file, const VocabularyFileOptions& options = {});

}  // namespace rill::feature_column
