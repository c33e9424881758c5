#include "rill/api/lookup/static_tables.h"

#include <random>

#include "rill/api/core/collections.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill::lookup {
namespace {

// A name that no other table has, as uuid4 makes them.
std::string unique_name() {
  std::random_device random;
  std::string text = "hash_table_";
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) text += '-';
    unsigned digit = random() % 16;
    if (i == 12) digit = 4;
    if (i == 16) digit = 8 + digit % 4;
    text += "0123456789abcdef"[digit];
  }
  return text;
}

DType vocabulary_keys(const TableInitializer* initializer, DType wanted) {
  if (initializer == nullptr) return DType::string;
  const DType own = initializer->key_dtype();
  require_type(kIntTypes.contains(own) || own == DType::string,
               "Invalid `key_dtype`, expected integer or string but got ", dtype_text(own), ".");
  require_type(initializer->value_dtype() == DType::i64,
               "Invalid `value_dtype`, expected <dtype: 'int64'> but got ",
               dtype_text(initializer->value_dtype()), ".");
  if (wanted == DType::invalid) return own;
  require_type(kIntTypes.contains(wanted) == kIntTypes.contains(own),
               "Invalid `key_dtype`, expected ", kIntTypes.contains(own) ? "integer" : "string",
               " but got ", dtype_text(wanted), ".");
  return wanted;
}

}  // namespace

StaticHashTable::StaticHashTable(const TableInitializer& initializer, const Input& default_value,
                                 const StaticHashTableOptions& options, std::source_location at)
    : TableNode(initializer.key_dtype(), initializer.value_dtype()) {
  const MadeHere made(at);
  Scope& scope = current_scope();
  const Output missing = as_tensor(default_value, "Const", value_dtype());
  require(missing.shape().is_compatible(PartialShape::scalar()), "Shapes ",
          shape_text(missing.shape()), " and () are incompatible");
  set_default(missing);
  std::string shared =
      options.shared_name.empty() ? initializer.shared_name() : options.shared_name;
  if (shared.empty()) shared = unique_name();
  set_handle(
      scope
          .add(
              "HashTableV2", {},
              {{"key_dtype", key_dtype()}, {"value_dtype", value_dtype()}, {"shared_name", shared}},
              options.name.empty() ? "hash_table" : options.name)
          .output());
  initializer_ = &initializer.initialize(resource_handle());
  sources_ = initializer.sources();
}

Output StaticHashTable::lookup(const Input& keys, const TableOpOptions& options,
                               std::source_location at) const {
  return find(keys, options.name, "_Lookup", false, at);
}

TableContents StaticHashTable::export_(const TableOpOptions& options,
                                       std::source_location at) const {
  return contents(options.name, "_Export", false, at);
}

StaticVocabularyTable::StaticVocabularyTable(const TableInitializer* initializer,
                                             std::int64_t num_oov_buckets,
                                             const VocabularyTableOptions& options,
                                             std::source_location at)
    : LookupTable(vocabulary_keys(initializer, options.lookup_key_dtype), DType::i64),
      num_oov_buckets_(num_oov_buckets) {
  require(num_oov_buckets > 0, "`num_oov_buckets` must be > 0; use StaticHashTable.");
  if (initializer != nullptr)
    table_ =
        std::make_shared<const StaticHashTable>(*initializer, -1, StaticHashTableOptions{}, at);
  name_ = !options.name.empty() ? options.name : table_ ? table_->name() : "hash_bucket";
}

StaticVocabularyTable::StaticVocabularyTable(std::shared_ptr<const StaticHashTable> table,
                                             DType key_dtype, std::int64_t num_oov_buckets,
                                             std::string name)
    : LookupTable(key_dtype, DType::i64),
      table_(std::move(table)),
      num_oov_buckets_(num_oov_buckets),
      name_(!name.empty() ? std::move(name)
            : table_      ? table_->name()
                          : "hash_bucket") {}

Output StaticVocabularyTable::resource_handle() const {
  require(table_ != nullptr, "The vocabulary has no table");
  return table_->resource_handle();
}

Output StaticVocabularyTable::lookup(const Input& keys, const TableOpOptions& options,
                                     std::source_location at) const {
  const MadeHere made(at);
  Output words = checked_keys(keys);
  // Whole numbers are kept as int64 whatever the program's are.
  if (table_ != nullptr && table_->key_dtype() == DType::i64 &&
      base_type(words.dtype()) != DType::i64)
    words = cast(current_scope(), words, DType::i64);
  if (num_oov_buckets_ == 0) return table_->lookup(words, options, at);
  const Block in(options.name, name_ + "_Lookup", at);
  Scope& scope = current_scope();
  const bool is_text = base_type(words.dtype()) == DType::string;
  const Output text = is_text ? words : scope.add("AsString", {words}).output();
  Output bucket =
      scope
          .add("StringToHashBucketFast", {text}, {{"num_buckets", num_oov_buckets_}}, "hash_bucket")
          .output();
  if (table_ == nullptr) return bucket;
  const Output ids = table_->lookup(words);
  bucket = scope.add("AddV2", {bucket, table_->size()}, {}, "Add").output();
  const Output known = scope.add("NotEqual", {ids, table_->default_value()}).output();
  return scope.add("SelectV2", {known, ids, bucket}).output();
}

Output StaticVocabularyTable::size(const TableOpOptions& options, std::source_location at) const {
  const Block in(options.name, name_ + "_Size", at);
  Scope& scope = current_scope();
  const Output own =
      table_ == nullptr ? scope.constant(Tensor::scalar<std::int64_t>(0)) : table_->size();
  return scope.add("AddV2", {own, num_oov_buckets_}, {}, "add").output();
}

}  // namespace rill::lookup

namespace rill {

Node& tables_initializer(const TablesInitializerOptions& options, std::source_location at) {
  Scope scope = here(at);
  std::vector<Node*> fill;
  for (const CollectionItem& item : get_collection(GraphKeys::TABLE_INITIALIZERS))
    if (Node* const* node = std::get_if<Node*>(&item)) fill.push_back(*node);
  if (fill.empty()) return scope.add("NoOp", {}, {}, options.name);
  return group(scope, std::span<Node* const>(fill), options.name);
}

}  // namespace rill
