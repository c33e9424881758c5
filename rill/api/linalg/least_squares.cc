#include "rill/api/linalg/least_squares.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/matrices.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"

namespace rill::linalg {
namespace {

bool is_zero(const Input& regularizer) {
  if (!regularizer.is_value()) return false;
  const Tensor value = regularizer.value(DType::f64);
  return value.element_count() == 1 && *value.data<double>() == 0;
}

// Whether the normal equations are worth their nodes: the op is better for many small matrices.
bool use_normal_equations(Output matrix, bool fast) {
  if (!fast) return false;
  const PartialShape shape = matrix.shape();
  if (!shape.is_full() || shape.rank() < 2) return true;
  const std::int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  const std::int64_t matrix_size = std::max<std::int64_t>(rows * columns, 1);
  const std::int64_t batch = shape.element_count() / matrix_size;
  const auto bytes =
      shape.element_count() * static_cast<std::int64_t>(element_size(math_parts::type_of(matrix)));
  constexpr std::int64_t kCacheSize = 256000;
  return bytes <= kCacheSize || batch <= std::min(rows, columns);
}

// Cholesky's factor of adjoint(a) * a, or of a * adjoint(a), with the regularizer on its diagonal.
Output gramian_factor(Output a, const Input& regularizer, bool columns) {
  Output gramian = matmul(a, a, {.adjoint_a = columns, .adjoint_b = !columns});
  if (!is_zero(regularizer)) {
    const Output sizes = shape(a);
    const Output batch = parts::range_of(sizes, {}, -2);
    const Output size = parts::item(sizes, columns ? -1 : -2);
    const Output identity =
        eye(size, {.batch_shape = batch, .dtype = math_parts::type_of(a), .name = {}});
    gramian = gramian + regularizer * identity;
  }
  return raw::Cholesky(gramian);
}

Output overdetermined(Output a, const Input& rhs, const Input& regularizer) {
  const Output factor = gramian_factor(a, regularizer, true);
  return cholesky_solve(factor, matmul(a, rhs, {.adjoint_a = true}));
}

Output underdetermined(Output a, const Input& rhs, const Input& regularizer) {
  const Output factor = gramian_factor(a, regularizer, false);
  return matmul(a, cholesky_solve(factor, rhs), {.adjoint_a = true});
}

}  // namespace

Output lstsq(const Input& matrix, const Input& rhs, const LstsqOptions& options,
             std::source_location at) {
  const MadeAt place(at);
  const Output a = as_tensor(matrix, "matrix");
  const Input& regularizer = options.l2_regularizer;
  if (math_parts::type_of(a) == DType::c128 && !is_zero(regularizer))
    raise(Code::kUnimplemented,
          "matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to "
          "poor accuracy.");
  if (!use_normal_equations(a, options.fast))
    return raw::MatrixSolveLs(a, rhs, regularizer, {.fast = options.fast, .name = options.name});
  const Block in(options.name, "matrix_solve_ls", at);
  const PartialShape known = a.shape();
  const int rank = known.rank();
  if (rank >= 2 && known[rank - 2] >= 0 && known[rank - 1] >= 0)
    return known[rank - 2] >= known[rank - 1] ? overdetermined(a, rhs, regularizer)
                                              : underdetermined(a, rhs, regularizer);
  const Output sizes = parts::range_of(shape(a), -2, {});
  const Output rows = parts::item(sizes, -2);
  const Output is_tall = raw::GreaterEqual(rows, parts::item(sizes, -1));
  return cond_one(
      is_tall, [&] { return overdetermined(a, rhs, regularizer); },
      [&] { return underdetermined(a, rhs, regularizer); });
}

}  // namespace rill::linalg
