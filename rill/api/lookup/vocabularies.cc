#include "rill/api/lookup/vocabularies.h"

#include "rill/api/core/texts.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill::lookup {
namespace {

void check_common(const IndexTableOptions& options) {
  require(options.num_oov_buckets >= 0, "num_oov_buckets must be greater or equal than 0, got ",
          options.num_oov_buckets, ".");
  require_type(kIntTypes.contains(options.key_dtype) || options.key_dtype == DType::string,
               "Only integer and string keys are supported.");
}

// Whole numbers of any type are kept as int64.
DType table_keys(DType dtype) { return kIntTypes.contains(dtype) ? DType::i64 : dtype; }

std::shared_ptr<LookupTable> with_buckets(std::shared_ptr<const StaticHashTable> table,
                                          const IndexTableOptions& options) {
  if (options.num_oov_buckets == 0) return std::make_shared<StaticHashTable>(*table);
  return std::make_shared<StaticVocabularyTable>(std::move(table), options.key_dtype,
                                                 options.num_oov_buckets, std::string());
}

// tf.cast(tf.range(tf.size(x)), int64).
Output positions(Output words) {
  Scope& scope = current_scope();
  const std::int64_t known = words.shape().element_count();
  const Output count =
      known >= 0
          ? scope.constant(Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(known)), "Size")
          : scope.add("Size", {words}).output();
  const Output range = scope.add("Range", {0, count, 1}, {}, "range").output();
  return cast(scope, range, DType::i64);
}

}  // namespace

std::shared_ptr<LookupTable> index_table_from_file(const Input& vocabulary_file,
                                                   const IndexTableOptions& options,
                                                   std::source_location at) {
  require(!vocabulary_file.is_value() ||
              !vocabulary_file.value(DType::string).data<std::string>()[0].empty(),
          "`vocabulary_file` must be specified and must not be empty.");
  check_common(options);
  require(!options.vocab_size || *options.vocab_size >= 1,
          "`vocab_file_size` must be greater than 0, got ", options.vocab_size.value_or(0), ".");
  const Block in(options.name, "string_to_index", at);
  std::shared_ptr<const StaticHashTable> table;
  {
    const NameScope named("hash_table");
    const TextFileInitializer lines(
        vocabulary_file, table_keys(options.key_dtype), options.key_column_index, DType::i64,
        options.value_column_index, {options.vocab_size, options.delimiter, "table_init"}, at);
    table = std::make_shared<const StaticHashTable>(lines, options.default_value,
                                                    StaticHashTableOptions{}, at);
  }
  return with_buckets(std::move(table), options);
}

std::shared_ptr<LookupTable> index_table_from_tensor(const Input& vocabulary_list,
                                                     const IndexTableOptions& options,
                                                     std::source_location at) {
  check_common(options);
  const Block in(options.name, "string_to_index", at);
  const Output words = as_tensor(vocabulary_list, "Const");
  const DType own = base_type(words.dtype());
  require(kIntTypes.contains(own) == kIntTypes.contains(options.key_dtype),
          "Invalid dtype: Expected ",
          kIntTypes.contains(options.key_dtype) ? "integer" : "non-integer", ", got ",
          dtype_text(own), ".");
  require(kIntTypes.contains(own) || own == options.key_dtype, "Invalid dtype: Expected ",
          dtype_text(options.key_dtype), ", got ", dtype_text(own), ".");
  const Output ids = positions(words);
  std::shared_ptr<const StaticHashTable> table;
  {
    const NameScope named("hash_table");
    const Output keys = kIntTypes.contains(own) && own != DType::i64
                            ? cast(current_scope(), words, DType::i64)
                            : words;
    const KeyValueTensorInitializer pairs(keys, ids, {.name = "table_init"}, at);
    table = std::make_shared<const StaticHashTable>(pairs, options.default_value,
                                                    StaticHashTableOptions{}, at);
  }
  return with_buckets(std::move(table), options);
}

std::shared_ptr<LookupTable> index_to_string_table_from_file(const Input& vocabulary_file,
                                                             const StringTableOptions& options,
                                                             std::source_location at) {
  require(!vocabulary_file.is_value() ||
              !vocabulary_file.value(DType::string).data<std::string>()[0].empty(),
          "`vocabulary_file` must be specified and must not be empty.");
  require(!options.vocab_size || *options.vocab_size >= 1,
          "`vocab_size` must be greater than 0, got ", options.vocab_size.value_or(0), ".");
  const Block in(options.name, "index_to_string", at);
  const TextFileInitializer lines(vocabulary_file, DType::i64, options.key_column_index,
                                  DType::string, options.value_column_index,
                                  {options.vocab_size, options.delimiter, "table_init"}, at);
  return std::make_shared<StaticHashTable>(lines, options.default_value, StaticHashTableOptions{},
                                           at);
}

std::shared_ptr<LookupTable> index_to_string_table_from_tensor(const Input& vocabulary_list,
                                                               const StringTableOptions& options,
                                                               std::source_location at) {
  const Block in(options.name, "index_to_string", at);
  const Output words = as_tensor(vocabulary_list, "Const", DType::string);
  const Output ids = positions(words);
  const KeyValueTensorInitializer pairs(ids, words, {.name = "table_init"}, at);
  return std::make_shared<StaticHashTable>(pairs, options.default_value, StaticHashTableOptions{},
                                           at);
}

}  // namespace rill::lookup
