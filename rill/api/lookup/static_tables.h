#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>

#include "rill/api/lookup/initializers.h"
#include "rill/api/lookup/table.h"

namespace rill::lookup {

struct StaticHashTableOptions {
  std::string shared_name =
      {};  // the initializer's where that has one, else nobody's but this table's
  std::string name = {};
};
// A table that its initializer fills once. A lookup before that fails the step with
// FailedPrecondition. `default_value` is a scalar; other shapes throw InvalidArgument.
//
//   lookup::StaticHashTable table(lookup::KeyValueTensorInitializer(words, ids), -1);
//   session.run(tables_initializer());
//   Output found = table.lookup(queries);
class StaticHashTable : public TableNode {
 public:
  StaticHashTable(const TableInitializer& initializer, const Input& default_value,
                  const StaticHashTableOptions& options = {},
                  std::source_location at = std::source_location::current());

  Node& initializer() const { return *initializer_; }
  const std::vector<Output>& sources() const { return sources_; }  // that it reads
  // Values in the shape of `keys`, the default where a key is not there.
  Output lookup(const Input& keys, const TableOpOptions& options = {},
                std::source_location at = std::source_location::current()) const override;
  // All pairs, in no particular order. `export` in TensorFlow, which is a keyword here.
  TableContents export_(const TableOpOptions& options = {},
                        std::source_location at = std::source_location::current()) const;

 private:
  NodePtr initializer_;
  std::vector<Output> sources_;
};

// lookup_key_dtype: what lookup takes. It may differ from the table's among integers only, which
// are cast.
struct VocabularyTableOptions {
  DType lookup_key_dtype = DType::invalid;  // string, or the table's
  std::string name = {};
};
// Ids of words: those of a table, and for other words one of `num_oov_buckets` further ids, chosen
// by a hash. Without a table every word has an id of that kind. The id of an unknown word w is
// size(table) + Fingerprint64(w) % num_oov_buckets; an integer is hashed by its decimal digits.
class StaticVocabularyTable : public LookupTable {
 public:
  // A null `initializer` means no table. Throws InvalidArgument unless num_oov_buckets > 0, and
  // TypeError unless the initializer maps integers or strings to int64. The initializer is read
  // here and need not outlive the call.
  StaticVocabularyTable(const TableInitializer* initializer, std::int64_t num_oov_buckets,
                        const VocabularyTableOptions& options = {},
                        std::source_location at = std::source_location::current());
  // Around a table that exists, or none; `num_oov_buckets` may be 0.
  StaticVocabularyTable(std::shared_ptr<const StaticHashTable> table, DType key_dtype,
                        std::int64_t num_oov_buckets, std::string name);

  const std::string& name() const override { return name_; }
  Output resource_handle() const override;  // throws InvalidArgument without a table
  const std::shared_ptr<const StaticHashTable>& table() const { return table_; }  // may be null
  Node* initializer() const { return table_ == nullptr ? nullptr : &table_->initializer(); }
  // An id that equals the table's default, -1, is taken for an unknown word.
  Output lookup(const Input& keys, const TableOpOptions& options = {},
                std::source_location at = std::source_location::current()) const override;
  // The table's size and the buckets, as an int64 scalar.
  Output size(const TableOpOptions& options = {},
              std::source_location at = std::source_location::current()) const override;

 private:
  std::shared_ptr<const StaticHashTable> table_;
  std::int64_t num_oov_buckets_;
  std::string name_;
};

}  // namespace rill::lookup

namespace rill {

struct TablesInitializerOptions {
  std::string name = "init_all_tables";
};
// Fills all tables of the default graph that are to be filled once (the collection
// TABLE_INITIALIZERS); a NoOp where there are none. Tables that are made later are not included.
Node& tables_initializer(const TablesInitializerOptions& options = {},
                         std::source_location at = std::source_location::current());

}  // namespace rill
