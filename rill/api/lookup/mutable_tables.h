#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/collections.h"
#include "rill/api/lookup/table.h"

namespace rill::lookup {

// A table that can change at any time.
class MutableTable : public TableNode {
 public:
  Output lookup(const Input& keys, const TableOpOptions& options = {},
                std::source_location at = std::source_location::current()) const override;
  Node& insert(const Input& keys, const Input& values, const TableOpOptions& options = {},
               std::source_location at = std::source_location::current()) const;
  Node& remove(const Input& keys, const TableOpOptions& options = {},
               std::source_location at = std::source_location::current()) const;
  TableContents export_(const TableOpOptions& options = {},
                        std::source_location at = std::source_location::current()) const;
  Output size(const TableOpOptions& options = {},
              std::source_location at = std::source_location::current()) const override;

 protected:
  using TableNode::TableNode;
  // Makes the table one of those that a Saver saves.
  void save_with_graph();
};

// How a Saver saves such a table: keys and values as two tensors.
struct TableSaveable : Collectable {
  TableSaveable(Output handle, TableContents contents, std::string name)
      : handle(handle), contents(contents), name(std::move(name)) {}
  std::string collected_name() const override { return name; }
  // The operation that gives the table keys and values back.
  Node& restore(Output keys, Output values) const;

  Output handle;
  TableContents contents;
  std::string name;
};

struct MutableHashTableOptions {
  std::string shared_name;
  std::string name = "MutableHashTable";
  bool checkpoint = true;
};
class MutableHashTable : public MutableTable {
 public:
  MutableHashTable(DType key_dtype, DType value_dtype, const Input& default_value,
                   const MutableHashTableOptions& options = {},
                   std::source_location at = std::source_location::current());
};

struct DenseHashTableOptions {
  std::optional<std::int64_t> initial_num_buckets = {};
  std::string shared_name;
  std::string name = "MutableDenseHashTable";
  bool checkpoint = true;
};
// The same in less memory; `empty_key` and `deleted_key` can be no keys.
class DenseHashTable : public MutableTable {
 public:
  DenseHashTable(DType key_dtype, DType value_dtype, const Input& default_value,
                 const Input& empty_key, const Input& deleted_key,
                 const DenseHashTableOptions& options = {},
                 std::source_location at = std::source_location::current());
};

}  // namespace rill::lookup
