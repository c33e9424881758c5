#include "rill/api/math/matrices.h"

#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/math_parts.h"

namespace rill {
namespace {

using namespace math_parts;

Output diagonal_matrices(Output diagonal) {
  const Input unknown(Tensor::scalar<std::int32_t>(-1));
  return raw::MatrixDiagV2(diagonal, 0, unknown, unknown, Input(number(type_of(diagonal), 0)),
                           {.name = "diag"});
}

std::int64_t size_of_value(const Input& value, const char* what) {
  const auto numbers = known_integers(value, what);
  require(numbers.size() == 1 && numbers[0] >= 0, what, " must be one number that is not negative");
  return numbers[0];
}

// Everything is known: constants.
Output known_eye(const Input& num_rows, const EyeOptions& options) {
  const std::int64_t rows = size_of_value(num_rows, "num_rows");
  const std::int64_t columns =
      options.num_columns ? size_of_value(*options.num_columns, "num_columns") : rows;
  Shape batch;
  if (options.batch_shape)
    for (const std::int64_t dim : known_integers(*options.batch_shape, "batch_shape"))
      batch.add_dim(dim);
  Shape diagonal = batch, whole = batch;
  diagonal.add_dim(std::min(rows, columns));
  whole.add_dim(rows);
  whole.add_dim(columns);
  const Output line = ones(diagonal, {.dtype = options.dtype});
  if (rows == columns) return diagonal_matrices(line);
  const Output empty = zeros(whole, {.dtype = options.dtype});
  return raw::MatrixSetDiagV2(empty, line, 0, {.name = "set_diag"});
}

// Numbers and tensors as one vector, a constant where all are numbers.
Output vector_of(const Inputs& items, const char* name) {
  const Block in("", name, {});
  std::vector<Input> tensors;
  for (std::size_t i = 0; i < items.size(); ++i)
    tensors.emplace_back(items[i].is_output()
                             ? items[i]
                             : Input(as_tensor(items[i], std::to_string(i), DType::i32)));
  return raw::Pack(tensors, {.name = in.own_name()});
}

// batch_shape followed by `sizes`.
Output joined_shape(Output batch, const Inputs& sizes) {
  const Block in("", "concat", {});
  const Output last = vector_of(sizes, "values_1");
  return raw::ConcatV2({batch, last}, 0, {.name = in.own_name()});
}

Output unknown_eye(const Input& num_rows, const EyeOptions& options) {
  const Input& columns = options.num_columns ? *options.num_columns : num_rows;
  const Output least = raw::Minimum(num_rows, columns);
  const Input none(int_vector({}));
  const Output batch = as_tensor(options.batch_shape.value_or(none), "shape", DType::i32);
  const Output diagonal = joined_shape(batch, {least});
  if (!options.num_columns) return diagonal_matrices(ones(diagonal, {.dtype = options.dtype}));
  const Output whole = joined_shape(batch, {num_rows, columns});
  const Output line = ones(diagonal, {.dtype = options.dtype});
  const Output empty = zeros(whole, {.dtype = options.dtype});
  return raw::MatrixSetDiagV2(empty, line, 0, {.name = "set_diag"});
}

}  // namespace

Output eye(const Input& num_rows, const EyeOptions& options, std::source_location at) {
  const Block in(options.name, "eye", at);
  const auto is_value = [](const OptionalInput& x) { return !x || x->is_value(); };
  const bool all_known =
      num_rows.is_value() && is_value(options.num_columns) && is_value(options.batch_shape);
  return all_known ? known_eye(num_rows, options) : unknown_eye(num_rows, options);
}

Output linalg::adjoint(const Input& matrix, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "adjoint", at);
  const Output x = as_tensor(matrix, "matrix");
  return matrix_transpose(x, {.conjugate = true});
}

}  // namespace rill
