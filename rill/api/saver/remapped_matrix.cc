#include "rill/api/saver/remapped_matrix.h"

#include <cmath>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/made_here.h"
#include "rill/api/gen/io.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/sequences.h"
#include "rill/api/random/random_ops.h"
#include "rill/base/error.h"
#include "rill/graph/whole_number.h"

namespace rill::train {
namespace {

bool is_pair(const OptionalInput& old_file, const OptionalInput& new_file, const char* which) {
  require(old_file.has_value() == new_file.has_value(), "old_", which, "_vocab_file and new_",
          which, "_vocab_file must both be specified or left unspecified");
  return old_file.has_value();
}

void check_buckets(std::int64_t count, const char* which) {
  require(count >= 0, "num_", which, "_oov_buckets must be >= 0, but received ", count);
}

// How many of the new rows or columns the checkpoint has: all, or as many as a node finds.
using Count = std::variant<std::int64_t, Output>;

Count times(const Count& rows, const Count& columns) {
  const auto* known_rows = std::get_if<std::int64_t>(&rows);
  const auto* known_columns = std::get_if<std::int64_t>(&columns);
  if (known_rows && known_columns) return *known_rows * *known_columns;
  const auto input = [](const Count& count) {
    const auto* known = std::get_if<std::int64_t>(&count);
    return known ? whole_number(*known) : Input(std::get<Output>(count));
  };
  return raw::Mul(input(rows), input(columns), {.name = "mul"});
}

Output fresh_zeros(const FreshShape& shape) { return zeros(shape); }

// Where the part of a variable that is cut along one dimension begins in it.
std::int64_t offset_of(const PartitionInfo& part, const Shape& shape) {
  require(static_cast<int>(part.full_shape.size()) == shape.rank(), "a part of shape ", shape,
          " does not belong to a variable of ", part.full_shape.size(), " dimensions");
  std::optional<std::size_t> cut;
  for (std::size_t i = 0; i < part.full_shape.size(); ++i) {
    if (part.full_shape[i] == shape[static_cast<int>(i)]) continue;
    require(!cut, "a variable that is cut along dimensions ", cut.value_or(0), " and ", i,
            " cannot be remapped");
    cut = i;
  }
  return cut ? part.var_offset.at(*cut) : 0;
}

// What the initializer knows beside the options.
struct Matrix {
  Input ckpt_path, old_tensor_name;
  std::int64_t rows, columns;  // of words; those of buckets come on top
  RemapInitializerOptions options;

  void check(const Initializer::Request& r) const;
  Output part(const Initializer::Request& r) const;
};

void Matrix::check(const Initializer::Request& r) const {
  require_type(r.dtype == DType::f32,
               "Currently, only float32 is supported. Received dtype: ", r.dtype);
  require(r.shape.rank() == 2, "Expected 2-dim shape, but received: ", r.shape);
  require(r.shape[0] > 0, "Expected 1st dim of shape to be > 0, but received shape: ", r.shape);
  const std::int64_t all_columns = columns + options.num_col_oov_buckets;
  require(r.shape[1] == all_columns, "Expected 2nd dim of shape to be new_col_vocab_size (",
          columns, ") + num_col_oov_buckets (", options.num_col_oov_buckets, ") = ", all_columns,
          ", but received shape: ", r.shape);
}

Output Matrix::part(const Initializer::Request& r) const {
  check(r);
  const std::int64_t offset = r.part == nullptr ? 0 : offset_of(*r.part, r.shape);
  const std::int64_t all_rows = rows + options.num_row_oov_buckets;
  require(offset <= all_rows && r.shape[0] <= all_rows - offset, "Trying to initialize ",
          r.shape[0], " additional rows after ", offset,
          " rows have already been initialized, which would exceed expected total row count of "
          "new_row_vocab_size (",
          rows, ") + num_row_oov_buckets (", options.num_row_oov_buckets, ") = ", all_rows, ".");
  if (offset > rows) return options.initializer({r.shape[0], r.shape[1]});
  const std::int64_t of_words = std::min(r.shape[0], rows - offset);
  RemapOptions these = options;
  these.num_row_oov_buckets = r.shape[0] - of_words;
  return load_and_remap_matrix(ckpt_path, old_tensor_name, offset, of_words, columns,
                               options.initializer, these);
}

}  // namespace

FreshShape::operator ShapeInput() const {
  if (const auto* known = std::get_if<std::int64_t>(&rows)) return {*known, columns};
  return ShapeInput(Input::MakeOutput([*this](Scope& scope, std::string_view name, DType) {
    Scope inner = scope.named(name);
    require(columns <= INT32_MAX, "the dimension ", columns, " is too large for int32");
    const Output second = inner.constant(Tensor::scalar(static_cast<std::int32_t>(columns)), "1");
    const std::vector<Input> dims{std::get<Output>(rows), second};
    return inner.add("Pack", {InputArg(dims)}, {}, inner.name() + "/").output();
  }));
}

Output load_and_remap_matrix(const Input& ckpt_path, const Input& old_tensor_name,
                             std::int64_t new_row_vocab_offset, std::int64_t num_rows_to_load,
                             std::int64_t new_col_vocab_size, const FreshValues& initializer,
                             const RemapOptions& o, std::source_location at) {
  const MadeHere here(at);
  check_buckets(o.num_row_oov_buckets, "row");
  check_buckets(o.num_col_oov_buckets, "col");
  const bool remaps_rows = is_pair(o.old_row_vocab_file, o.new_row_vocab_file, "row");
  const bool remaps_columns = is_pair(o.old_col_vocab_file, o.new_col_vocab_file, "col");
  require(remaps_rows || remaps_columns,
          "Must provide either row or column vocab files. If no remapping is necessary, consider "
          "using `tf.contrib.framework.init_from_checkpoint` instead.");

  Count present_rows = num_rows_to_load, present_columns = new_col_vocab_size;
  Output row_remapping;
  if (remaps_rows) {
    const auto found = raw::GenerateVocabRemapping(*o.new_row_vocab_file, *o.old_row_vocab_file,
                                                   new_row_vocab_offset, num_rows_to_load,
                                                   {.old_vocab_size = o.old_row_vocab_size});
    row_remapping = found.remapping;
    present_rows = found.num_present;
  } else {
    row_remapping =
        range(new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, {.dtype = DType::i64});
  }
  Input column_remapping = Tensor(DType::i64, {0});
  if (remaps_columns) {
    const auto found = raw::GenerateVocabRemapping(*o.new_col_vocab_file, *o.old_col_vocab_file, 0,
                                                   new_col_vocab_size);
    column_remapping = found.remapping;
    present_columns = found.num_present;
  }
  const Output present = std::get<Output>(times(present_rows, present_columns));
  const Output missing =
      raw::Sub(whole_number(num_rows_to_load * new_col_vocab_size), present, {.name = "sub"});
  Output matrix = raw::LoadAndRemapMatrix(
      ckpt_path, old_tensor_name, row_remapping, column_remapping, initializer({missing, 1}),
      num_rows_to_load, new_col_vocab_size, {.max_rows_in_memory = o.max_rows_in_memory});
  const auto add = [&](const FreshShape& shape, int axis) {
    matrix = concat({matrix, initializer(shape)}, axis);
  };
  if (o.num_row_oov_buckets > 0) add({o.num_row_oov_buckets, new_col_vocab_size}, 0);
  if (o.num_col_oov_buckets > 0)
    add({num_rows_to_load + o.num_row_oov_buckets, o.num_col_oov_buckets}, 1);
  return matrix;
}

Initializer load_and_remap_matrix_initializer(const Input& ckpt_path, const Input& old_tensor_name,
                                              std::int64_t new_row_vocab_size,
                                              std::int64_t new_col_vocab_size,
                                              const RemapInitializerOptions& options) {
  Matrix matrix{ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, options};
  if (!matrix.options.initializer) matrix.options.initializer = fresh_zeros;
  return Initializer::Make(
      [matrix](const Initializer::Request& request) { return matrix.part(request); });
}

Initializer load_variable_slot_initializer(const Input& ckpt_path, const Input& old_tensor_name,
                                           const PartitionInfo& primary_partition_info,
                                           std::int64_t new_row_vocab_size,
                                           std::int64_t new_col_vocab_size,
                                           const RemapInitializerOptions& options) {
  const Initializer whole = load_and_remap_matrix_initializer(
      ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, options);
  return Initializer::Make([whole, primary_partition_info](const Initializer::Request& request) {
    return whole({request.shape, request.dtype, &primary_partition_info});
  });
}

namespace {

// Rows that belong to words; columns that do not.
RemapInitializerOptions by_rows(const Input& old_file, const Input& new_file,
                                const VocabularyOptions& options) {
  RemapInitializerOptions result;
  result.old_row_vocab_size = options.old_vocab_size;
  result.old_row_vocab_file = old_file;
  result.new_row_vocab_file = new_file;
  result.num_row_oov_buckets = options.num_oov_buckets;
  result.max_rows_in_memory = options.max_rows_in_memory;
  result.initializer = options.initializer;
  return result;
}

}  // namespace

Initializer load_embedding_initializer(const Input& ckpt_path, const Input& embedding_tensor_name,
                                       std::int64_t new_vocab_size, std::int64_t embedding_dim,
                                       const Input& old_vocab_file, const Input& new_vocab_file,
                                       VocabularyOptions options) {
  require(embedding_dim > 0, "embedding_dim must be positive, not ", embedding_dim);
  if (!options.initializer)
    options.initializer = [embedding_dim](const FreshShape& shape) {
      return truncated_normal(shape, {.stddev = 1 / std::sqrt(static_cast<double>(embedding_dim))});
    };
  return load_and_remap_matrix_initializer(ckpt_path, embedding_tensor_name, new_vocab_size,
                                           embedding_dim,
                                           by_rows(old_vocab_file, new_vocab_file, options));
}

Initializer load_linear_multiclass_bias_initializer(const Input& ckpt_path,
                                                    const Input& bias_tensor_name,
                                                    std::int64_t new_class_vocab_size,
                                                    const Input& old_class_vocab_file,
                                                    const Input& new_class_vocab_file,
                                                    const VocabularyOptions& options) {
  return load_and_remap_matrix_initializer(
      ckpt_path, bias_tensor_name, new_class_vocab_size, 1,
      by_rows(old_class_vocab_file, new_class_vocab_file, options));
}

}  // namespace rill::train
