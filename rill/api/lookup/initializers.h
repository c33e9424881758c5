#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::lookup {

// What fills a table that is filled once. Making one adds tensors to the graph; the table is filled
// when a step runs tables_initializer(). To fill it again with equal data does nothing, with other
// data fails with FailedPrecondition, as does one key with two values.
class TableInitializer {
 public:
  virtual ~TableInitializer() = default;
  DType key_dtype() const { return key_dtype_; }
  DType value_dtype() const { return value_dtype_; }

  // The operation that fills the table; it is added to TABLE_INITIALIZERS.
  virtual Node& initialize(Output table_handle) const = 0;
  // What that operation reads besides: keys and values, or the name of a file.
  virtual std::vector<Output> sources() const = 0;
  // The name under which tables with this content are shared; "" where they are not.
  virtual std::string shared_name() const { return {}; }

 protected:
  TableInitializer(DType key_dtype, DType value_dtype)
      : key_dtype_(key_dtype), value_dtype_(value_dtype) {}

 private:
  DType key_dtype_, value_dtype_;
};

// A dtype of `invalid` stands for the one that the tensor has.
struct KeyValueOptions {
  DType key_dtype = DType::invalid;  // as the keys
  DType value_dtype = DType::invalid;
  std::string name = {};
};
// Pairs from two tensors of equally many elements. Keys must be a vector (or a scalar), which the
// step checks.
//
//   lookup::KeyValueTensorInitializer pairs(Tensor::vector<std::string>({"a", "b"}), ids);
class KeyValueTensorInitializer : public TableInitializer {
 public:
  KeyValueTensorInitializer(const Input& keys, const Input& values,
                            const KeyValueOptions& options = {},
                            std::source_location at = std::source_location::current());
  Node& initialize(Output table_handle) const override;
  std::vector<Output> sources() const override { return {keys_, values_}; }

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

// vocab_size: the number of lines that the file must have; none: all there are. delimiter: one
// character, which only column indices need.
struct TextFileOptions {
  std::optional<std::int64_t> vocab_size = {};
  std::string delimiter = "\t";
  std::string name = {};
};
// Lines of a file. The constructor throws InvalidArgument where an index cannot give values of the
// type (LINE_NUMBER gives int64 only), for a negative column, a vocab_size below 1 or an empty file
// name. The file is read in the step, which fails for a file with an empty line, too few columns or
// too many or few lines (InvalidArgument), or none (OutOfRange). A file name that is a constant
// becomes an asset, which a SavedModel takes along.
class TextFileInitializer : public TableInitializer {
 public:
  // Tables of one file, vocab_size and indices share one name, and so one table in memory.
  TextFileInitializer(const Input& filename, DType key_dtype, std::int64_t key_index,
                      DType value_dtype, std::int64_t value_index,
                      const TextFileOptions& options = {},
                      std::source_location at = std::source_location::current());
  Node& initialize(Output table_handle) const override;
  std::vector<Output> sources() const override { return {filename_}; }
  std::string shared_name() const override { return shared_name_; }

 private:
  Output filename_;
  std::int64_t key_index_, value_index_;
  TextFileOptions options_;
  std::string shared_name_;
};

}  // namespace rill::lookup
