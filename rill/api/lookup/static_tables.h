#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>

#include "rill/api/lookup/initializers.h"
#include "rill/api/lookup/table.h"

namespace rill::lookup {

struct StaticHashTableOptions {
  std::string shared_name;  // the initializer's where that has one, else nobody's but this table's
  std::string name;
};
// A table that its initializer fills once.
class StaticHashTable : public TableNode {
 public:
  StaticHashTable(const TableInitializer& initializer, const Input& default_value,
                  const StaticHashTableOptions& options = {},
                  std::source_location at = std::source_location::current());

  Node& initializer() const { return *initializer_; }
  Output lookup(const Input& keys, const TableOpOptions& options = {},
                std::source_location at = std::source_location::current()) const override;
  // `export` in TensorFlow.
  TableContents export_(const TableOpOptions& options = {},
                        std::source_location at = std::source_location::current()) const;

 private:
  Node* initializer_;
};

struct VocabularyTableOptions {
  DType lookup_key_dtype = DType::invalid;  // string, or the table's
  std::string name;
};
// Ids of words: those of a table, and for other words one of `num_oov_buckets` further ids, chosen
// by a hash. Without a table every word has an id of that kind.
class StaticVocabularyTable : public LookupTable {
 public:
  StaticVocabularyTable(const TableInitializer* initializer, std::int64_t num_oov_buckets,
                        const VocabularyTableOptions& options = {},
                        std::source_location at = std::source_location::current());
  // Around a table that exists, or none; `num_oov_buckets` may be 0.
  StaticVocabularyTable(std::shared_ptr<const StaticHashTable> table, DType key_dtype,
                        std::int64_t num_oov_buckets, std::string name);

  const std::string& name() const override { return name_; }
  Output resource_handle() const override;  // throws InvalidArgument without a table
  Node* initializer() const { return table_ == nullptr ? nullptr : &table_->initializer(); }
  Output lookup(const Input& keys, const TableOpOptions& options = {},
                std::source_location at = std::source_location::current()) const override;
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
// Fills all tables that are to be filled once.
Node& tables_initializer(const TablesInitializerOptions& options = {},
                         std::source_location at = std::source_location::current());

}  // namespace rill
