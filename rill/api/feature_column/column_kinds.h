#pragma once

#include "rill/api/feature_column/feature_column.h"

namespace rill::feature_column {

// The columns that the functions of columns.h make. Fields are called as in TensorFlow. The
// functions have checked them; columns are not changed afterwards. Which values they hold for a
// batch is said at each kind; what does not fit throws InvalidArgument when the column is used.

// A function of a program, applied to raw features: x becomes (x - mean) / stddev, say. A lambda
// over Output is for dense features.
struct Normalizer {
  std::function<Transformed(const Transformed&)> apply;
  std::string text = {};  // how it prints; two of the same text are the same

  Normalizer() = default;  // none
  // Of a tensor.
  template <class F>
  requires std::is_invocable_r_v<Output, F, Output> Normalizer(F function)
      : Normalizer(of_tensor(std::function<Output(Output)>(std::move(function)))) {}
  explicit operator bool() const { return bool(apply); }

 private:
  static Normalizer of_tensor(std::function<Output(Output)> function);
};

// The raw feature itself, after the normalizer, as float32. It must be dense.
struct NumericColumn : DenseColumn {
  std::string key = {};
  std::vector<std::int64_t> shape = {};
  std::optional<Tensor> default_value = {};  // of shape `shape`
  DType dtype = DType::f32;
  Normalizer normalizer_fn = {};

  std::string name() const override { return key; }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  PartialShape variable_shape() const override;
  Output get_dense_tensor(FeatureTransformationCache&, StateManager&) const override;

 protected:
  std::string make_text() const override;
};
using NumericRef = std::shared_ptr<const NumericColumn>;

// Which interval a number is in: below boundaries[0] is bucket 0, from boundaries[i - 1] to below
// boundaries[i] is bucket i. Dense: one-hot, [shape, buckets]. As ids: buckets of the i-th number
// come after those of the numbers before, so that each has weights of its own.
struct BucketizedColumn : DenseColumn, CategoricalColumn {
  NumericRef source_column = {};
  std::vector<double> boundaries = {};

  std::string name() const override { return source_column->name() + "_bucketized"; }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  PartialShape variable_shape() const override;
  Output get_dense_tensor(FeatureTransformationCache&, StateManager&) const override;
  std::int64_t num_buckets() const override;
  IdWeightPair get_sparse_tensors(FeatureTransformationCache&, StateManager&) const override;

 protected:
  std::string make_text() const override;
};

// A column whose ids are made of one raw feature. A dense feature becomes sparse first: "" and -1
// mean no value.
struct KeyedCategoricalColumn : CategoricalColumn {
  std::string key = {};
  DType dtype = DType::string;  // string or an integer type

  std::string name() const override { return key; }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  IdWeightPair get_sparse_tensors(FeatureTransformationCache&, StateManager&) const override;

 protected:
  // The input's indices and shape, with ids in place of the values.
  virtual SparseTensor ids_of(const SparseTensor& input, StateManager& state) const = 0;
  // Throws InvalidArgument unless the input's type goes with the column's.
  void check_input(const SparseTensor& input) const;
};

// id = hash(value) mod hash_bucket_size; integers are hashed as their decimal texts. Values may
// collide.
struct HashedCategoricalColumn : KeyedCategoricalColumn {
  std::int64_t hash_bucket_size = 0;

  std::int64_t num_buckets() const override { return hash_bucket_size; }

 protected:
  SparseTensor ids_of(const SparseTensor& input, StateManager& state) const override;
  std::string make_text() const override;
};

// id = the number of the line that holds the value. What is no line gets default_value, -1: no id,
// or one of num_oov_buckets ids behind the vocabulary, by its hash. The file is read when tables
// are initialised; keeping it is the program's job.
struct VocabularyFileCategoricalColumn : KeyedCategoricalColumn {
  std::string vocabulary_file = {};
  std::int64_t vocabulary_size = 0, num_oov_buckets = 0, default_value = -1;

  std::int64_t num_buckets() const override { return vocabulary_size + num_oov_buckets; }

 protected:
  SparseTensor ids_of(const SparseTensor& input, StateManager& state) const override;
  std::string make_text() const override;
};

// The same with the vocabulary as part of the graph.
struct VocabularyListCategoricalColumn : KeyedCategoricalColumn {
  Tensor vocabulary_list = {};  // strings or integers
  std::int64_t default_value = -1, num_oov_buckets = 0;

  std::int64_t num_buckets() const override;

 protected:
  SparseTensor ids_of(const SparseTensor& input, StateManager& state) const override;
  std::string make_text() const override;
};

// Integers that are ids already. Out of range they become default_value; without one nothing checks
// them here, and the step fails where a table is read with them.
struct IdentityCategoricalColumn : KeyedCategoricalColumn {
  std::int64_t number_buckets = 0;
  std::optional<std::int64_t> default_value = {};  // of ids that are out of range

  std::int64_t num_buckets() const override { return number_buckets; }

 protected:
  SparseTensor ids_of(const SparseTensor& input, StateManager& state) const override;
  std::string make_text() const override;
};

// Ids of another column, each with a weight from the feature `weight_feature_key`, which must have
// a weight at the same places and be of `dtype`. Of a dense one, zeros are no values.
struct WeightedCategoricalColumn : CategoricalColumn {
  CategoricalRef categorical_column = {};
  std::string weight_feature_key = {};
  DType dtype = DType::f32;

  std::string name() const override;
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  std::int64_t num_buckets() const override { return categorical_column->num_buckets(); }
  IdWeightPair get_sparse_tensors(FeatureTransformationCache&, StateManager&) const override;

 protected:
  std::string make_text() const override;
};

// What is crossed: a raw feature by its key, or the ids of a column.
class CrossedKey {
 public:
  CrossedKey(std::string key) : key_(std::move(key)) {}
  CrossedKey(const char* key) : key_(key) {}
  template <class Column>
  requires std::derived_from<Column, CategoricalColumn> CrossedKey(
      std::shared_ptr<const Column> column)
      : key_(CategoricalRef(std::move(column))) {}

  const std::string* key() const { return std::get_if<std::string>(&key_); }
  // Null where it is a raw feature.
  CategoricalRef column() const;
  std::string name() const;
  std::string text() const;

 private:
  std::variant<std::string, CategoricalRef> key_;
};

// An id for each combination of one value of each key: hash of all, mod hash_bucket_size. Lets a
// linear model learn about combinations. Columns with weights throw InvalidArgument.
struct CrossedColumn : CategoricalColumn {
  std::vector<CrossedKey> keys = {};
  std::int64_t hash_bucket_size = 0;
  std::optional<std::int64_t> hash_key = {};

  std::string name() const override;
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  std::int64_t num_buckets() const override { return hash_bucket_size; }
  IdWeightPair get_sparse_tensors(FeatureTransformationCache&, StateManager&) const override;
  // Its keys, with those of crosses among them in their place: a cross of crosses hashes once.
  std::vector<CrossedKey> leaf_keys() const;

 protected:
  std::string make_text() const override;
};

// Ids of another column whose second dimension are steps: [examples, steps, values of a step].
struct SequenceCategoricalColumn : CategoricalColumn {
  CategoricalRef categorical_column = {};

  std::string name() const override { return categorical_column->name(); }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  std::int64_t num_buckets() const override { return categorical_column->num_buckets(); }
  IdWeightPair get_sparse_tensors(FeatureTransformationCache&, StateManager&) const override;

 protected:
  std::string make_text() const override;
};

// How often each id comes: the sum of the one-hot rows, or of the weights where there are any. Ids
// of -1 count for nothing.
struct IndicatorColumn : DenseColumn, SequenceDenseColumn {
  CategoricalRef categorical_column = {};

  std::string name() const override { return categorical_column->name() + "_indicator"; }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  PartialShape variable_shape() const override;
  PartialShape sequence_shape() const override { return variable_shape(); }
  Output get_dense_tensor(FeatureTransformationCache&, StateManager&) const override;
  TensorSequenceLengthPair get_sequence_dense_tensor(FeatureTransformationCache&,
                                                     StateManager&) const override;

 protected:
  std::string make_text() const override;
};

// What embedding columns have in common: a table of rows, one for each id. "sqrtn" divides the sum
// by the root of the sum of squared weights. max_norm shortens rows before they are combined. The
// safe lookup gives zeros for examples without ids, and leaves out ids below 0 and weights that are
// not positive.
struct EmbeddingSettings {
  std::int64_t dimension = 0;
  std::string combiner = "mean";
  Initializer initializer = {};
  std::string initializer_text = {};  // how it prints
  std::optional<std::string> ckpt_to_load_from = {}, tensor_name_in_ckpt = {};
  std::optional<double> max_norm = {};
  bool trainable = true;
  bool use_safe_embedding_lookup = true;
};

// The rows of a learnt table [num_buckets, dimension] of the ids of each example, combined. Used as
// a dense column the ids must not be of a sequence column, and the other way round; else
// InvalidArgument.
struct EmbeddingColumn : DenseColumn, SequenceDenseColumn {
  CategoricalRef categorical_column = {};
  EmbeddingSettings settings = {};

  std::string name() const override { return categorical_column->name() + "_embedding"; }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  void create_state(StateManager&) const override;
  PartialShape variable_shape() const override;
  PartialShape sequence_shape() const override { return variable_shape(); }
  Output get_dense_tensor(FeatureTransformationCache&, StateManager&) const override;
  TensorSequenceLengthPair get_sequence_dense_tensor(FeatureTransformationCache&,
                                                     StateManager&) const override;

 protected:
  std::string make_text() const override;
  StateManager::VariableRequest weights_request() const;
  Output embedded(const IdWeightPair& ids, StateManager& state) const;
};

// One of several columns with the same table, which is the only variable of a collection.
struct SharedEmbeddingColumn : EmbeddingColumn {
  std::string shared_embedding_collection_name = {};

  std::string name() const override { return categorical_column->name() + "_shared_embedding"; }
  std::string var_scope_name() const override { return shared_embedding_collection_name; }
  void create_state(StateManager&) const override;
  Output get_dense_tensor(FeatureTransformationCache&, StateManager&) const override;
  TensorSequenceLengthPair get_sequence_dense_tensor(FeatureTransformationCache&,
                                                     StateManager&) const override;

 protected:
  std::string make_text() const override;

 private:
  Output shared_tensor(FeatureTransformationCache& cache, StateManager& state) const;
};

// Numbers of steps, from a sparse feature with shape-many values for each step. default_value fills
// sequences up to the longest.
struct SequenceNumericColumn : SequenceDenseColumn {
  std::string key = {};
  std::vector<std::int64_t> shape = {};
  double default_value = 0.0;
  DType dtype = DType::f32;
  Normalizer normalizer_fn = {};

  std::string name() const override { return key; }
  rill::Features parse_example_spec() const override;
  Transformed transform_feature(FeatureTransformationCache&, StateManager&) const override;
  PartialShape sequence_shape() const override;
  TensorSequenceLengthPair get_sequence_dense_tensor(FeatureTransformationCache&,
                                                     StateManager&) const override;

 protected:
  std::string make_text() const override;
};

}  // namespace rill::feature_column
