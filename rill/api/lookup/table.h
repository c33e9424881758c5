#pragma once

#include <source_location>
#include <string>
#include <utility>

#include "rill/api/core/default_graph.h"

namespace rill::lookup {

struct TableOpOptions {
  std::string name = {};
};

// What answers to keys. An object of this class only describes nodes of a graph; the entries are in
// the session's resources, and copies of the object mean the same table.
class LookupTable {
 public:
  virtual ~LookupTable() = default;

  DType key_dtype() const { return key_dtype_; }
  DType value_dtype() const { return value_dtype_; }
  virtual const std::string& name() const = 0;
  // The handle that table ops take.
  virtual Output resource_handle() const = 0;

  // The values of `keys`; throws TypeError where the keys are of another type.
  virtual Output lookup(const Input& keys, const TableOpOptions& options = {},
                        std::source_location at = std::source_location::current()) const = 0;
  // The number of entries, as an int64 scalar.
  virtual Output size(const TableOpOptions& options = {},
                      std::source_location at = std::source_location::current()) const = 0;

 protected:
  LookupTable(DType key_dtype, DType value_dtype)
      : key_dtype_(key_dtype), value_dtype_(value_dtype) {}
  // `keys` as a tensor. Plain values take the table's type; a tensor of another type throws
  // TypeError.
  Output checked_keys(const Input& keys) const;

 private:
  DType key_dtype_, value_dtype_;
};

// The keys and values of a table.
struct TableContents {
  Output keys = {}, values = {};
};

// One table of the runtime. Its name is the last part of its node's.
class TableNode : public LookupTable {
 public:
  const std::string& name() const override { return name_; }
  Output resource_handle() const override { return handle_; }
  // What lookup gives for a key that is not there.
  Output default_value() const { return default_value_; }

  Output size(const TableOpOptions& options = {},
              std::source_location at = std::source_location::current()) const override;

 protected:
  TableNode(DType key_dtype, DType value_dtype) : LookupTable(key_dtype, value_dtype) {}
  void set_handle(Output handle);
  void set_default(Output value) { default_value_ = value; }
  // Finds `keys`, in a scope `name` or one named after the table with `suffix`.
  Output find(const Input& keys, const std::string& name, const char* suffix, bool beside,
              std::source_location at) const;
  TableContents contents(const std::string& name, const char* suffix, bool beside,
                         std::source_location at) const;
  // The current scope, where nodes go where the table is if `beside`.
  Scope scope(bool beside) const;

 private:
  Output handle_, default_value_;
  std::string name_;
};

}  // namespace rill::lookup
