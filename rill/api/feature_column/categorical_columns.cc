// Columns whose ids are made of one raw feature.
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/feature_column/column_text.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/string.h"
#include "rill/api/lookup/vocabularies.h"
#include "rill/api/math/casts.h"
#include "rill/api/sparse/sparse_facts.h"

namespace rill::feature_column {
namespace {

SparseTensor with_values(const SparseTensor& x, Output values) {
  return {x.indices, values, x.dense_shape};
}

// The ids that a table has for words; `make` gets the type of the words.
template <class Make>
SparseTensor looked_up(const KeyedCategoricalColumn& column, const SparseTensor& input,
                       StateManager& state, const Make& make) {
  const bool numbers = kIntTypes.contains(input.dtype());
  const SparseTensor words = numbers ? sparse::cast(input, DType::i64) : input;
  const std::string name = column.key + "_lookup";
  const auto table = state.table(column, name, [&] {
    const ControlDependencies none(std::span<Node* const>{});
    return make(
        lookup::IndexTableOptions{.key_dtype = numbers ? DType::i64 : column.dtype, .name = name});
  });
  return with_values(words, table->lookup(words.values));
}

}  // namespace

rill::Features KeyedCategoricalColumn::parse_example_spec() const {
  return {{key, VarLenFeature{dtype}}};
}

Transformed KeyedCategoricalColumn::transform_feature(FeatureTransformationCache& cache,
                                                      StateManager& state) const {
  return ids_of(to_sparse_input(cache.get(key, state)), state);
}

IdWeightPair KeyedCategoricalColumn::get_sparse_tensors(FeatureTransformationCache& cache,
                                                        StateManager& state) const {
  return {sparse(cache.get(*this, state)), {}};
}

void KeyedCategoricalColumn::check_input(const SparseTensor& input) const {
  require(input.dtype() == DType::string || kIntTypes.contains(input.dtype()), "column_name: ", key,
          " input_tensor dtype must be string or integer. dtype: ", type_text(input.dtype()), ".");
  require(kIntTypes.contains(dtype) == kIntTypes.contains(input.dtype()),
          "Column dtype and SparseTensors dtype must be compatible. key: ", key,
          ", column dtype: ", type_text(dtype), ", tensor dtype: ", type_text(input.dtype()));
}

SparseTensor HashedCategoricalColumn::ids_of(const SparseTensor& input, StateManager&) const {
  check_input(input);
  const Output words = dtype == DType::string ? input.values : raw::AsString(input.values);
  return with_values(input,
                     raw::StringToHashBucketFast(words, hash_bucket_size, {.name = "lookup"}));
}

std::string HashedCategoricalColumn::make_text() const {
  return tuple_text("HashedCategoricalColumn",
                    {{"key", quoted(key)},
                     {"hash_bucket_size", std::to_string(hash_bucket_size)},
                     {"dtype", type_text(dtype)}});
}

SparseTensor VocabularyFileCategoricalColumn::ids_of(const SparseTensor& input,
                                                     StateManager& state) const {
  check_input(input);
  return looked_up(*this, input, state, [&](lookup::IndexTableOptions options) {
    options.num_oov_buckets = num_oov_buckets;
    options.vocab_size = vocabulary_size;
    options.default_value = default_value;
    return lookup::index_table_from_file(vocabulary_file, options);
  });
}

std::string VocabularyFileCategoricalColumn::make_text() const {
  return tuple_text("VocabularyFileCategoricalColumn",
                    {{"key", quoted(key)},
                     {"vocabulary_file", quoted(vocabulary_file)},
                     {"vocabulary_size", std::to_string(vocabulary_size)},
                     {"num_oov_buckets", std::to_string(num_oov_buckets)},
                     {"dtype", type_text(dtype)},
                     {"default_value", std::to_string(default_value)}});
}

std::int64_t VocabularyListCategoricalColumn::num_buckets() const {
  return vocabulary_list.element_count() + num_oov_buckets;
}

SparseTensor VocabularyListCategoricalColumn::ids_of(const SparseTensor& input,
                                                     StateManager& state) const {
  check_input(input);
  return looked_up(*this, input, state, [&](lookup::IndexTableOptions options) {
    options.num_oov_buckets = num_oov_buckets;
    options.default_value = default_value;
    return lookup::index_table_from_tensor(vocabulary_list, options);
  });
}

std::string VocabularyListCategoricalColumn::make_text() const {
  return tuple_text("VocabularyListCategoricalColumn",
                    {{"key", quoted(key)},
                     {"vocabulary_list", nested_text(vocabulary_list)},
                     {"dtype", type_text(dtype)},
                     {"default_value", std::to_string(default_value)},
                     {"num_oov_buckets", std::to_string(num_oov_buckets)}});
}

SparseTensor IdentityCategoricalColumn::ids_of(const SparseTensor& input, StateManager&) const {
  require(kIntTypes.contains(input.dtype()), "Invalid input, not integer. key: ", key,
          " dtype: ", type_text(input.dtype()));
  Output ids = cast(input.values, DType::i64, {.name = "values"});
  if (default_value) {
    ids = cast(input.values, DType::i64, {.name = "values"});
    const auto number = [](std::int64_t value, const char* name) {
      const bool is_small = value == static_cast<int>(value);
      const Input as_python = is_small ? Input(static_cast<int>(value)) : Tensor::scalar(value);
      return cast(as_python, DType::i64, {.name = name});
    };
    const Output buckets = number(number_buckets, "num_buckets");
    const Output zero = number(0, "zero");
    const Output below = raw::Less(ids, zero);
    const Output above = raw::GreaterEqual(ids, buckets);
    const Output outside = raw::LogicalOr(below, above, {.name = "out_of_range"});
    const Output sizes = shape(ids);
    const Output otherwise =
        raw::Fill(sizes, number(*default_value, ""), {.name = "default_values"});
    ids = where_v2(outside, otherwise, ids);
  }
  return with_values(input, ids);
}

std::string IdentityCategoricalColumn::make_text() const {
  return tuple_text("IdentityCategoricalColumn",
                    {{"key", quoted(key)},
                     {"number_buckets", std::to_string(number_buckets)},
                     {"default_value", or_none(default_value)}});
}

}  // namespace rill::feature_column
