// The functions that make columns: they check what is given.
#include "rill/api/feature_column/columns.h"

#include <cmath>
#include <set>

#include "rill/api/feature_column/column_text.h"
#include "rill/api/io/gfile.h"

namespace rill::feature_column {
namespace {

void require_shape(const std::vector<std::int64_t>& shape, const std::string& key) {
  for (const std::int64_t dim : shape)
    require(dim >= 1, "shape dimensions must be greater than 0. shape: ", tuple_text(shape),
            ", key: ", key);
}

void require_number(DType dtype, const std::string& key) {
  require(kRealTypes.contains(dtype),
          "dtype must be convertible to float. dtype: ", type_text(dtype), ", key: ", key);
}

void require_string_or_int(DType dtype, const std::string& what) {
  require(dtype == DType::string || kIntTypes.contains(dtype), what,
          " dtype must be string or integer. dtype: ", type_text(dtype), ".");
}

void require_oov(std::int64_t words, std::int64_t num_oov_buckets, bool has_default,
                 const std::string& key) {
  if (num_oov_buckets == 0) return;
  std::int64_t all = 0;
  require(!has_default, "Can't specify both num_oov_buckets and default_value in ", key, ".");
  require(num_oov_buckets > 0 && !__builtin_add_overflow(words, num_oov_buckets, &all),
          "Invalid num_oov_buckets ", num_oov_buckets, " in ", key, ".");
}

// One number becomes as many as the shape says.
Tensor filled(const Tensor& number, const Shape& shape) {
  Tensor all(number.dtype(), shape);
  const std::size_t size = element_size(number.dtype());
  auto* to = static_cast<char*>(all.raw_data());
  for (std::int64_t i = 0; i < all.element_count(); ++i)
    std::copy_n(static_cast<const char*>(number.raw_data()), size, to + i * size);
  return all;
}

std::optional<Tensor> checked_default(const NumericColumnOptions& options, const std::string& key) {
  if (!options.default_value) return {};
  const Tensor& value = *options.default_value;
  const bool fits = kIntTypes.contains(value.dtype()) ||
                    (kFloatTypes.contains(value.dtype()) && kFloatTypes.contains(options.dtype));
  require_type(fits,
               "default_value must be compatible with dtype. default_value: ", nested_text(value),
               ", dtype: ", type_text(options.dtype), ", key: ", key);
  const Shape shape{std::span<const std::int64_t>(options.shape)};
  if (value.rank() == 0) return filled(value, shape);
  require(value.shape() == shape,
          "The shape of default_value must be equal to given shape. default_value: ",
          nested_text(value), ", shape: ", tuple_text(options.shape), ", key: ", key);
  return value;
}

std::int64_t line_count(const std::string& file, const std::string& key) {
  require(gfile::Exists(file), "vocabulary_file in ", key, " does not exist.");
  gfile::GFile lines(file, "rb");
  std::int64_t count = 0;
  while (!lines.readline().empty()) ++count;
  return count;
}

template <class T>
bool has_duplicates(const Tensor& words) {
  const std::set<T> unique(words.data<T>(), words.data<T>() + words.element_count());
  return static_cast<std::int64_t>(unique.size()) != words.element_count();
}

bool has_duplicates(const Tensor& words) {
  if (words.dtype() == DType::string) return has_duplicates<std::string>(words);
  if (words.dtype() == DType::i32) return has_duplicates<std::int32_t>(words);
  return words.dtype() == DType::i64 && has_duplicates<std::int64_t>(words);
}

}  // namespace

NumericRef numeric_column(std::string key, const NumericColumnOptions& options) {
  require_shape(options.shape, key);
  require_number(options.dtype, key);
  auto column = std::make_shared<NumericColumn>();
  column->shape = options.shape;
  column->default_value = checked_default(options, key);
  column->dtype = options.dtype;
  column->normalizer_fn = options.normalizer_fn;
  column->key = std::move(key);
  return column;
}

std::shared_ptr<const BucketizedColumn> bucketized_column(const NumericRef& source_column,
                                                          std::vector<double> boundaries) {
  require(source_column != nullptr,
          "source_column must be a column generated with numeric_column(). Given: None");
  require(source_column->shape.size() <= 1,
          "source_column must be one-dimensional column. Given: ", source_column->text());
  require(!boundaries.empty(), "boundaries must not be empty.");
  for (std::size_t i = 0; i + 1 < boundaries.size(); ++i)
    require(boundaries[i] < boundaries[i + 1], "boundaries must be a sorted list.");
  auto column = std::make_shared<BucketizedColumn>();
  column->source_column = source_column;
  column->boundaries = std::move(boundaries);
  return column;
}

std::shared_ptr<const IdentityCategoricalColumn> categorical_column_with_identity(
    std::string key, std::int64_t num_buckets, const IdentityColumnOptions& options) {
  require(num_buckets >= 1, "num_buckets ", num_buckets, " < 1, column_name ", key);
  const auto& other = options.default_value;
  require(!other || (*other >= 0 && *other < num_buckets), "default_value ", other.value_or(0),
          " not in range [0, ", num_buckets, "), column_name ", key);
  auto column = std::make_shared<IdentityCategoricalColumn>();
  column->key = std::move(key);
  column->dtype = DType::i64;
  column->number_buckets = num_buckets;
  column->default_value = other;
  return column;
}

std::shared_ptr<const HashedCategoricalColumn> categorical_column_with_hash_bucket(
    std::string key, std::int64_t hash_bucket_size, const HashBucketOptions& options) {
  require(hash_bucket_size >= 1,
          "hash_bucket_size must be at least 1. hash_bucket_size: ", hash_bucket_size,
          ", key: ", key);
  require_string_or_int(options.dtype, "column_name: " + key);
  auto column = std::make_shared<HashedCategoricalColumn>();
  column->key = std::move(key);
  column->hash_bucket_size = hash_bucket_size;
  column->dtype = options.dtype;
  return column;
}

std::shared_ptr<const VocabularyListCategoricalColumn> categorical_column_with_vocabulary_list(
    std::string key, Tensor vocabulary_list, const VocabularyListOptions& options) {
  require(vocabulary_list.has_value() && vocabulary_list.element_count() >= 1,
          "vocabulary_list () must be non-empty, column_name: ", key);
  require(vocabulary_list.rank() == 1, "vocabulary_list must be a vector, column_name: ", key);
  require(!has_duplicates(vocabulary_list), "Duplicate keys in vocabulary_list ",
          nested_text(vocabulary_list), ", column_name: ", key);
  require_oov(vocabulary_list.element_count(), options.num_oov_buckets, options.default_value != -1,
              key);
  const DType own = vocabulary_list.dtype();
  require_string_or_int(own, "column_name: " + key + " vocabulary");
  const DType dtype = options.dtype == DType::invalid ? own : options.dtype;
  require(kIntTypes.contains(dtype) == kIntTypes.contains(own), "dtype ", type_text(dtype),
          " and vocabulary dtype ", type_text(own), " do not match, column_name: ", key);
  require_string_or_int(dtype, "column_name: " + key);
  auto column = std::make_shared<VocabularyListCategoricalColumn>();
  column->key = std::move(key);
  column->vocabulary_list = std::move(vocabulary_list);
  column->dtype = dtype;
  column->default_value = options.default_value;
  column->num_oov_buckets = options.num_oov_buckets;
  return column;
}

std::shared_ptr<const VocabularyListCategoricalColumn> categorical_column_with_vocabulary_list(
    std::string key, const std::vector<std::string>& vocabulary_list,
    const VocabularyListOptions& options) {
  return categorical_column_with_vocabulary_list(
      std::move(key),
      Tensor::of<std::string>({static_cast<std::int64_t>(vocabulary_list.size())},
                              std::span(vocabulary_list)),
      options);
}

std::shared_ptr<const VocabularyFileCategoricalColumn> categorical_column_with_vocabulary_file(
    std::string key, std::string vocabulary_file, const VocabularyFileOptions& options) {
  require(!vocabulary_file.empty(), "Missing vocabulary_file in ", key, ".");
  const std::int64_t size =
      options.vocabulary_size ? *options.vocabulary_size : line_count(vocabulary_file, key);
  require(size >= 1, "Invalid vocabulary_size in ", key, ".");
  require_oov(size, options.num_oov_buckets, options.default_value.has_value(), key);
  require_string_or_int(options.dtype, "column_name: " + key);
  auto column = std::make_shared<VocabularyFileCategoricalColumn>();
  column->key = std::move(key);
  column->vocabulary_file = std::move(vocabulary_file);
  column->vocabulary_size = size;
  column->num_oov_buckets = options.num_oov_buckets;
  column->default_value = options.default_value.value_or(-1);
  column->dtype = options.dtype;
  return column;
}

std::shared_ptr<const SequenceNumericColumn> sequence_numeric_column(
    std::string key, const SequenceNumericOptions& options) {
  require_shape(options.shape, key);
  require_number(options.dtype, key);
  auto column = std::make_shared<SequenceNumericColumn>();
  column->key = std::move(key);
  column->shape = options.shape;
  column->default_value = options.default_value;
  column->dtype = options.dtype;
  column->normalizer_fn = options.normalizer_fn;
  return column;
}

}  // namespace rill::feature_column
