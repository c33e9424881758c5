#include "rill/api/lookup/initializers.h"

#include "rill/api/core/collections.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"

namespace rill::lookup {
namespace {

Output given(const Input& value, const char* name, DType dtype, std::source_location at) {
  const MadeHere made(at);
  return as_tensor(value, name, dtype);
}

void check_index(std::int64_t index, DType dtype, const char* what) {
  require(index >= TextFileIndex::WHOLE_LINE, "Invalid ", what, " index ", index, ".");
  if (index == TextFileIndex::LINE_NUMBER)
    require(dtype == DType::i64, "Signature mismatch. ", what, "s must be dtype <dtype: 'int64'>, ",
            "got <dtype: '", dtype_text(dtype), "'>.");
  if (index == TextFileIndex::WHOLE_LINE)
    require(kIntTypes.contains(dtype) || dtype == DType::string, "Signature mismatch. ", what,
            "s must be integer or string, got <dtype: '", dtype_text(dtype), "'>.");
}

// The name of the file as tables are shared by it; a tensor's own name where it is not known.
std::string file_text(const Input& filename) {
  if (filename.is_value()) return filename.value(DType::string).data<std::string>()[0];
  const Tensor* known = filename.is_output() ? constant_value(filename.output()) : nullptr;
  if (known != nullptr) return known->data<std::string>()[0];
  return filename.is_output() ? filename.output().name() : std::string();
}

}  // namespace

KeyValueTensorInitializer::KeyValueTensorInitializer(const Input& keys, const Input& values,
                                                     const KeyValueOptions& options,
                                                     std::source_location at)
    : KeyValueTensorInitializer(
          Pair{given(keys, "keys", options.key_dtype, at),
               given(values, "values", options.value_dtype, at)},  // made in this order
          options.name) {}

KeyValueTensorInitializer::KeyValueTensorInitializer(const Pair& pair, std::string name)
    : TableInitializer(base_type(pair.keys.dtype()), base_type(pair.values.dtype())),
      keys_(pair.keys),
      values_(pair.values),
      name_(std::move(name)) {}

Node& KeyValueTensorInitializer::initialize(Output table_handle) const {
  Scope scope = current_scope().named(name_.empty() ? "key_value_init" : name_);
  Node& filled = scope.add("LookupTableImportV2", {table_handle, keys_, values_});
  add_to_collection(GraphKeys::TABLE_INITIALIZERS, &filled);
  return filled;
}

TextFileInitializer::TextFileInitializer(const Input& filename, DType key_dtype,
                                         std::int64_t key_index, DType value_dtype,
                                         std::int64_t value_index, const TextFileOptions& options,
                                         std::source_location at)
    : TableInitializer(key_dtype, value_dtype),
      key_index_(key_index),
      value_index_(value_index),
      options_(options) {
  if (filename.is_value())
    require(!file_text(filename).empty(), "Filename required for tables initialization.");
  check_index(key_index, key_dtype, "key");
  check_index(value_index, value_dtype, "value");
  require(!options.vocab_size || *options.vocab_size > 0, "Invalid vocab_size ",
          options.vocab_size.value_or(0), ".");
  shared_name_ = str_cat("hash_table_", file_text(filename));
  if (options.vocab_size) shared_name_ += str_cat("_", *options.vocab_size);
  shared_name_ += str_cat("_", key_index, "_", value_index);
  {
    const DeviceScope on_host("CPU");
    filename_ = given(filename, "asset_path", DType::string, at);
  }
}

Node& TextFileInitializer::initialize(Output table_handle) const {
  Scope scope = current_scope().named(options_.name.empty() ? "text_file_init" : options_.name);
  Node& filled = scope.add("InitializeTableFromTextFileV2", {table_handle, filename_},
                           {{"key_index", key_index_},
                            {"value_index", value_index_},
                            {"vocab_size", options_.vocab_size.value_or(-1)},
                            {"delimiter", options_.delimiter}});
  add_to_collection(GraphKeys::TABLE_INITIALIZERS, &filled);
  if (constant_value(filename_) != nullptr)
    add_to_collection(GraphKeys::ASSET_FILEPATHS, filename_);
  return filled;
}

}  // namespace rill::lookup
