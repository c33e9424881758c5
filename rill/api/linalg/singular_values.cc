#include <algorithm>
#include <limits>

#include "rill/api/array/diagonals.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/matrix_functions.h"
#include "rill/api/math/math.h"
#include "rill/api/math/math_parts.h"

namespace rill::linalg {
namespace {

using namespace math_parts;

// The step from 1 to the next number.
double precision(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 0.0009765625;
    case DType::f64:
      return std::numeric_limits<double>::epsilon();
    default:
      return std::numeric_limits<float>::epsilon();
  }
}

Output checked_matrix(Output a, bool validate) {
  require_type(kFloatTypes.contains(type_of(a)), "Input `a` must have `float`-like `dtype` (saw ",
               type_of(a), ").");
  if (a.shape().has_rank()) {
    require(a.shape().rank() >= 2,
            "Input `a` must have at least 2 dimensions (saw: ", a.shape().rank(), ").");
    return a;
  }
  if (!validate) return a;
  Node* const check[] = {&debugging::assert_rank_at_least(
      a, 2, {.message = "Input `a` must have at least 2 dimensions."})};
  const ControlDependencies after(check);
  return raw::Identity(a);
}

// What is known of a dimension, counted from the end.
std::int64_t known_dim(Output a, int from_end) {
  const PartialShape& shape = a.shape();
  return shape.has_rank() ? shape.dim(shape.rank() - from_end) : kUnknownDim;
}

Output default_tolerance(Output a, Output values) {
  const DType dtype = type_of(a);
  const std::int64_t rows = known_dim(a, 2), columns = known_dim(a, 1);
  Output larger;
  if (rows != kUnknownDim && columns != kUnknownDim)
    larger = cast(Input(Tensor::scalar<std::int64_t>(std::max(rows, columns))), dtype);
  else
    larger = cast(reduce_max(slice(shape(a), {SliceRange{.start = -2}})), dtype);
  const Output step = precision(dtype) * larger;
  return step * reduce_max(values, {.axis = Input(-1), .keepdims = true});
}

Input default_rcond(Output a) {
  const DType dtype = type_of(a);
  const auto dim = [&](int from_end) {
    const std::int64_t known = known_dim(a, from_end);
    return known != kUnknownDim ? Input(static_cast<int>(known))
                                : Input(slice(shape(a), {Input(-from_end)}));
  };
  const Input rows = dim(2), columns = dim(1);
  if (rows.is_value() && columns.is_value()) {
    const auto larger = static_cast<double>(std::max(known_dim(a, 2), known_dim(a, 1)));
    return 10.0 * larger * precision(dtype);
  }
  const Output larger = cast(raw::Maximum(rows, columns), dtype);
  return 10.0 * larger * precision(dtype);
}

}  // namespace

Output logdet(const Input& matrix, const LinalgOptions& options, std::source_location at) {
  const Block in(options.name, "logdet", at);
  const Output factor = raw::Cholesky(matrix);
  const Output diagonal = raw::Log(real(diag_part(factor)));
  return 2.0 * reduce_sum(diagonal, {.axis = Input(int_vector({-1}))});
}

Output matrix_rank(const Input& a, const MatrixRankOptions& options, std::source_location at) {
  const Block in(options.name, "matrix_rank", at);
  const Output given = a.is_output() ? a.output() : a.as_output(current_scope(), "a", DType::f32);
  const Output x = checked_matrix(given, options.validate_args);
  const Output values = singular_values(x);
  const Input tolerance = options.tol ? *options.tol : Input(default_tolerance(x, values));
  const Output counted = cast(Output(values > tolerance), DType::i32);
  return reduce_sum(counted, {.axis = Input(-1)});
}

Output pinv(const Input& a, const PinvOptions& options, std::source_location at) {
  const Block in(options.name, "pinv", at);
  const Output x = checked_matrix(as_tensor(a, "a"), options.validate_args);
  const DType dtype = type_of(x);
  const Output rcond = as_tensor(options.rcond ? *options.rcond : default_rcond(x), "rcond", dtype);
  const SvdResult parts = svd(x);
  const Output cutoff = rcond * reduce_max(parts.s, {.axis = Input(-1)});
  const Output is_large = parts.s > expand_dims(cutoff, -1);
  const Output values =
      where_v2(is_large, parts.s, Input(number(dtype, std::numeric_limits<double>::infinity())));
  const Output scaled = parts.v / expand_dims(values, -2);
  const Output result = matmul(scaled, parts.u, {.adjoint_b = true});
  const PartialShape& shape = x.shape();
  if (const int rank = shape.rank(); shape.has_rank())
    result.node->graph().refine_shape(
        result,
        shape.with_dim(rank - 2, shape.dim(rank - 1)).with_dim(rank - 1, shape.dim(rank - 2)));
  return result;
}

}  // namespace rill::linalg
