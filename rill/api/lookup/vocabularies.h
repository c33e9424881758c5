#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/lookup/static_tables.h"

namespace rill::lookup {

// key_dtype: what lookup takes; whole numbers of any type are kept as int64. The column indices are
// for files, and mean what TextFileInitializer says.
struct IndexTableOptions {
  std::int64_t num_oov_buckets = 0;
  std::optional<std::int64_t> vocab_size = {};  // files only
  std::int64_t default_value = -1;              // of words that are not there, without buckets
  DType key_dtype = DType::string;              // or an integer type
  std::int64_t key_column_index = TextFileIndex::WHOLE_LINE;
  std::int64_t value_column_index = TextFileIndex::LINE_NUMBER;
  std::string delimiter = "\t";
  std::string name = {};
};
// The positions of words in a file, one word a line, or in a vector, as int64. A word that is not
// there gives `default_value`, or with num_oov_buckets > 0 one of so many ids after the last one.
//
//   auto table = lookup::index_table_from_tensor(words, {.num_oov_buckets = 1});
//   Output ids = table->lookup(text);
//
// The table must be filled by tables_initializer() first. Throws InvalidArgument for a negative
// num_oov_buckets, a vocab_size below 1, an empty file name, or words of another type than
// key_dtype; TypeError for a key_dtype that is neither integer nor string.
std::shared_ptr<LookupTable> index_table_from_file(
    const Input& vocabulary_file, const IndexTableOptions& options = {},
    std::source_location at = std::source_location::current());
std::shared_ptr<LookupTable> index_table_from_tensor(
    const Input& vocabulary_list, const IndexTableOptions& options = {},
    std::source_location at = std::source_location::current());

// The inverse of IndexTableOptions: lines are values, and their numbers keys.
struct StringTableOptions {
  std::optional<std::int64_t> vocab_size = {};  // files only
  std::string default_value = "UNK";
  std::int64_t key_column_index = TextFileIndex::LINE_NUMBER;
  std::int64_t value_column_index = TextFileIndex::WHOLE_LINE;
  std::string delimiter = "\t";
  std::string name = {};
};
// The words at int64 positions, `default_value` for a position outside. Fails as
// index_table_from_file does.
std::shared_ptr<LookupTable> index_to_string_table_from_file(
    const Input& vocabulary_file, const StringTableOptions& options = {},
    std::source_location at = std::source_location::current());
std::shared_ptr<LookupTable> index_to_string_table_from_tensor(
    const Input& vocabulary_list, const StringTableOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill::lookup
