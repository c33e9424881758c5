#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/lookup/static_tables.h"

namespace rill::lookup {

struct IndexTableOptions {
  std::int64_t num_oov_buckets = 0;
  std::optional<std::int64_t> vocab_size = {};  // files only
  std::int64_t default_value = -1;              // of words that are not there, without buckets
  DType key_dtype = DType::string;              // or an integer type
  std::int64_t key_column_index = TextFileIndex::WHOLE_LINE;
  std::int64_t value_column_index = TextFileIndex::LINE_NUMBER;
  std::string delimiter = "\t";
  std::string name;
};
// The positions of words in a file, one word a line, or in a vector. Throws InvalidArgument for
// numbers that cannot be.
std::shared_ptr<LookupTable> index_table_from_file(
    const Input& vocabulary_file, const IndexTableOptions& options = {},
    std::source_location at = std::source_location::current());
std::shared_ptr<LookupTable> index_table_from_tensor(
    const Input& vocabulary_list, const IndexTableOptions& options = {},
    std::source_location at = std::source_location::current());

struct StringTableOptions {
  std::optional<std::int64_t> vocab_size = {};  // files only
  std::string default_value = "UNK";
  std::int64_t key_column_index = TextFileIndex::LINE_NUMBER;
  std::int64_t value_column_index = TextFileIndex::WHOLE_LINE;
  std::string delimiter = "\t";
  std::string name;
};
// The words at positions.
std::shared_ptr<LookupTable> index_to_string_table_from_file(
    const Input& vocabulary_file, const StringTableOptions& options = {},
    std::source_location at = std::source_location::current());
std::shared_ptr<LookupTable> index_to_string_table_from_tensor(
    const Input& vocabulary_list, const StringTableOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill::lookup
