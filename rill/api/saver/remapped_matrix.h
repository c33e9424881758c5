#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <variant>

#include "rill/api/core/shape_input.h"
#include "rill/api/variables/initializer.h"

// Matrices of a checkpoint whose rows or columns belong to words: read for another vocabulary.
namespace rill::train {

// The shape of values that a checkpoint lacks. How many rows they need may be known only when the
// vocabularies have been read.
struct FreshShape {
  std::variant<std::int64_t, Output> rows = {};
  std::int64_t columns = 1;
  operator ShapeInput() const;
};
// Makes them: [](const ShapeInput& shape) { return tf::ones(shape); }
using FreshValues = std::function<Output(const FreshShape&)>;

// Where the words of the new rows and columns stand, one in each line, and those of the old ones.
// Both files of a pair, or none: then rows (columns) stay as they are.
struct RemapOptions {
  std::int64_t old_row_vocab_size = -1;  // how many of the old words count; -1: all
  OptionalInput old_row_vocab_file = {}, new_row_vocab_file = {};
  OptionalInput old_col_vocab_file = {}, new_col_vocab_file = {};
  std::int64_t num_row_oov_buckets = 0, num_col_oov_buckets = 0;  // behind those of words; fresh
  std::int64_t max_rows_in_memory = -1;  // of the old matrix; -1: all at once
};

// Rows [new_row_vocab_offset, + num_rows_to_load) of the new matrix. Throws InvalidArgument when
// the options name one file of a pair or no pair at all.
Output load_and_remap_matrix(const Input& ckpt_path, const Input& old_tensor_name,
                             std::int64_t new_row_vocab_offset, std::int64_t num_rows_to_load,
                             std::int64_t new_col_vocab_size, const FreshValues& initializer,
                             const RemapOptions& options = {},
                             std::source_location at = std::source_location::current());

struct RemapInitializerOptions {
  std::int64_t old_row_vocab_size = -1;  // how many of the old words count; -1: all
  OptionalInput old_row_vocab_file = {}, new_row_vocab_file = {};
  OptionalInput old_col_vocab_file = {}, new_col_vocab_file = {};
  std::int64_t num_row_oov_buckets = 0, num_col_oov_buckets = 0;  // behind those of words; fresh
  std::int64_t max_rows_in_memory = -1;  // of the old matrix; -1: all at once
  FreshValues initializer = {};          // zeros

  operator RemapOptions() const {
    return {.old_row_vocab_size = old_row_vocab_size,
            .old_row_vocab_file = old_row_vocab_file,
            .new_row_vocab_file = new_row_vocab_file,
            .old_col_vocab_file = old_col_vocab_file,
            .new_col_vocab_file = new_col_vocab_file,
            .num_row_oov_buckets = num_row_oov_buckets,
            .num_col_oov_buckets = num_col_oov_buckets,
            .max_rows_in_memory = max_rows_in_memory};
  }
};
// Gives a float variable, or each part of one that is cut along its rows, its rows of the new
// matrix.
Initializer load_and_remap_matrix_initializer(const Input& ckpt_path, const Input& old_tensor_name,
                                              std::int64_t new_row_vocab_size,
                                              std::int64_t new_col_vocab_size,
                                              const RemapInitializerOptions& options);

struct VocabularyOptions {
  std::int64_t old_vocab_size = -1;
  std::int64_t num_oov_buckets = 0;
  FreshValues initializer = {};
  std::int64_t max_rows_in_memory = -1;
};
// A row for each word. Fresh rows are normally distributed with deviation 1/sqrt(embedding_dim).
Initializer load_embedding_initializer(const Input& ckpt_path, const Input& embedding_tensor_name,
                                       std::int64_t new_vocab_size, std::int64_t embedding_dim,
                                       const Input& old_vocab_file, const Input& new_vocab_file,
                                       VocabularyOptions options = {});
// A number for each class, as a column. Fresh ones are zero.
Initializer load_linear_multiclass_bias_initializer(const Input& ckpt_path,
                                                    const Input& bias_tensor_name,
                                                    std::int64_t new_class_vocab_size,
                                                    const Input& old_class_vocab_file,
                                                    const Input& new_class_vocab_file,
                                                    const VocabularyOptions& options = {});
// For a slot of a variable: the part is the variable's, whatever the slot's own.
Initializer load_variable_slot_initializer(const Input& ckpt_path, const Input& old_tensor_name,
                                           const PartitionInfo& primary_partition_info,
                                           std::int64_t new_row_vocab_size,
                                           std::int64_t new_col_vocab_size,
                                           const RemapInitializerOptions& options);

}  // namespace rill::train
