#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::lookup {

// What fills a table that is filled once.
class TableInitializer {
 public:
  virtual ~TableInitializer() = default;
  DType key_dtype() const { return key_dtype_; }
  DType value_dtype() const { return value_dtype_; }

  // The operation that fills the table; it is added to TABLE_INITIALIZERS.
  virtual Node& initialize(Output table_handle) const = 0;
  // The name under which tables with this content are shared; "" where they are not.
  virtual std::string shared_name() const { return {}; }

 protected:
  TableInitializer(DType key_dtype, DType value_dtype)
      : key_dtype_(key_dtype), value_dtype_(value_dtype) {}

 private:
  DType key_dtype_, value_dtype_;
};

struct KeyValueOptions {
  DType key_dtype = DType::invalid;  // as the keys
  DType value_dtype = DType::invalid;
  std::string name;
};
class KeyValueTensorInitializer : public TableInitializer {
 public:
  KeyValueTensorInitializer(const Input& keys, const Input& values,
                            const KeyValueOptions& options = {},
                            std::source_location at = std::source_location::current());
  Node& initialize(Output table_handle) const override;

 private:
  struct Pair {
    Output keys, values;
  };
  KeyValueTensorInitializer(const Pair& pair, std::string name);
  Output keys_, values_;
  std::string name_;
};

// Which part of a line is a key or value: these, or the number of a column.
struct TextFileIndex {
  static constexpr std::int64_t WHOLE_LINE = -2;
  static constexpr std::int64_t LINE_NUMBER = -1;
};

struct TextFileOptions {
  std::optional<std::int64_t> vocab_size = {};
  std::string delimiter = "\t";
  std::string name;
};
// Lines of a file. Throws InvalidArgument where an index cannot give values of the type.
class TextFileInitializer : public TableInitializer {
 public:
  TextFileInitializer(const Input& filename, DType key_dtype, std::int64_t key_index,
                      DType value_dtype, std::int64_t value_index,
                      const TextFileOptions& options = {},
                      std::source_location at = std::source_location::current());
  Node& initialize(Output table_handle) const override;
  std::string shared_name() const override { return shared_name_; }

 private:
  Output filename_;
  std::int64_t key_index_, value_index_;
  TextFileOptions options_;
  std::string shared_name_;
};

}  // namespace rill::lookup
