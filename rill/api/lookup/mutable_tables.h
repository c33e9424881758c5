#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/collections.h"
#include "rill/api/lookup/table.h"

namespace rill::lookup {

// A table that can change at any time. Its contents live in the session's resources, not in the
// graph: steps that run at once see each other's insertions. Nodes are placed beside the table.
//
//   lookup::MutableHashTable table(DType::string, DType::i64, -1);
//   Node& put = table.insert(words, ids);
//   Output found = table.lookup(queries);  // -1 where not found; not ordered after `put`
class MutableTable : public TableNode {
 public:
  // [keys..., value...]: the values, the default where a key is not there.
  Output lookup(const Input& keys, const TableOpOptions& options = {},
                std::source_location at = std::source_location::current()) const override;
  // Sets the values of keys, also of those that are there already. Values must have the shape of
  // keys followed by that of the default value, or the step fails with InvalidArgument.
  Node& insert(const Input& keys, const Input& values, const TableOpOptions& options = {},
               std::source_location at = std::source_location::current()) const;
  // Keys that are not there are passed over. Throws TypeError for keys of another type.
  Node& remove(const Input& keys, const TableOpOptions& options = {},
               std::source_location at = std::source_location::current()) const;
  // All pairs, in no particular order.
  TableContents export_(const TableOpOptions& options = {},
                        std::source_location at = std::source_location::current()) const;
  Output size(const TableOpOptions& options = {},
              std::source_location at = std::source_location::current()) const override;

 protected:
  using TableNode::TableNode;
  // Makes the table one of those that a Saver saves, by SAVEABLE_OBJECTS.
  void save_with_graph();
};

// How a Saver saves such a table: keys and values as two tensors.
struct TableSaveable : Collectable {
  TableSaveable(Output handle, TableContents contents, std::string name)
      : handle(handle), contents(contents), name(std::move(name)) {}
  std::string collected_name() const override { return name; }
  // The operation that gives the table keys and values back; what it held before is dropped.
  Node& restore(Output keys, Output values) const;

  Output handle = {};
  TableContents contents = {};
  std::string name = {};
};

// shared_name: tables of one name are one table; "" with checkpoint uses the node's name, so that a
// restored session finds it. checkpoint: a Saver saves the contents.
struct MutableHashTableOptions {
  std::string shared_name = {};
  std::string name = "MutableHashTable";
  bool checkpoint = true;
};
// A hash table whose values all have the shape of `default_value`: a scalar, or a vector. A default
// of another rank fails the step that makes the table.
class MutableHashTable : public MutableTable {
 public:
  MutableHashTable(DType key_dtype, DType value_dtype, const Input& default_value,
                   const MutableHashTableOptions& options = {},
                   std::source_location at = std::source_location::current());
};

// initial_num_buckets: 131072 where absent; it must be a power of two of at least 4.
struct DenseHashTableOptions {
  std::optional<std::int64_t> initial_num_buckets = {};
  std::string shared_name = {};
  std::string name = "MutableDenseHashTable";
  bool checkpoint = true;
};
// The same with open addressing, in less memory. `empty_key` and `deleted_key` mark buckets, so
// they can be no keys: to use them fails the step with InvalidArgument, as does giving both one
// value. Keys may be vectors, of the shape that empty_key has.
class DenseHashTable : public MutableTable {
 public:
  DenseHashTable(DType key_dtype, DType value_dtype, const Input& default_value,
                 const Input& empty_key, const Input& deleted_key,
                 const DenseHashTableOptions& options = {},
                 std::source_location at = std::source_location::current());
};

}  // namespace rill::lookup
