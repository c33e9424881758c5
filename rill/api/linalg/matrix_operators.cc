// Operators that are one tensor: whole matrices, triangles, diagonals, reflections.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/formula.h"
#include "rill/api/math/math.h"

namespace rill::linalg {

using formula::Formula;

namespace {

std::string name_or(const OperatorOptions& options, const char* otherwise) {
  return options.name.empty() ? otherwise : options.name;
}

void require_rank(Output x, int least, const char* name) {
  require(!x.shape().has_rank() || x.shape().rank() >= least, "Argument ", name,
          " must have at least ", least, " dimension", least > 1 ? "s" : "",
          ".  Found: ", tensor_text(x));
}

// The shape of square matrices from that of their diagonals.
PartialShape squared(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  PartialShape all = shape;
  all.add_dim(shape.dim(shape.rank() - 1));
  return all;
}
Output squared_shape_tensor(Output vectors) {
  const Output dims = rill::shape(vectors);
  const Output last = slice(dims, {Input(-1)});
  return concat({dims, parts::list_of({last})}, 0);
}

Input last_axis() { return parts::ints({-1}); }

}  // namespace

// --- FullMatrix ----------------------------------------------------------------------------------

LinearOperatorFullMatrix::LinearOperatorFullMatrix(const Input& matrix,
                                                   const OperatorOptions& options, At at) {
  const Block in(options.name, "LinearOperatorFullMatrix", at);
  const Output x = as_tensor(matrix, "matrix");
  const DType dtype = base_type(x.dtype());
  require_type((kFloatTypes - DType::bf16).contains(dtype) || is_complex(dtype),
               "Argument `matrix` must have dtype in [float16, float32, float64, complex64, "
               "complex128].  Found: ",
               dtype_text(dtype));
  require_rank(x, 2, "matrix");
  add_tensor("matrix", x);
  set_up(dtype, options, name_or(options, "LinearOperatorFullMatrix"));
}

PartialShape LinearOperatorFullMatrix::do_shape() const { return tensor("matrix").shape(); }
Output LinearOperatorFullMatrix::do_shape_tensor() { return rill::shape(tensor("matrix")); }
Output LinearOperatorFullMatrix::do_to_dense() { return tensor("matrix"); }
Output LinearOperatorFullMatrix::do_matmul(Output x, const Adjoints& a) {
  return rill::matmul(tensor("matrix"), x, {.adjoint_a = a.adjoint, .adjoint_b = a.adjoint_arg});
}

// --- LowerTriangular -----------------------------------------------------------------------------

LinearOperatorLowerTriangular::LinearOperatorLowerTriangular(const Input& tril,
                                                             const OperatorOptions& options,
                                                             At at) {
  require(options.is_square != false,
          "Only square lower triangular operators supported at this time.");
  const Block in(options.name, "LinearOperatorLowerTriangular", at);
  const Output x = as_tensor(tril, "tril");
  require_rank(x, 2, "tril");
  add_tensor("tril", x);
  OperatorHints hints = options;
  hints.is_square = true;
  set_up(base_type(x.dtype()), hints, name_or(options, "LinearOperatorLowerTriangular"));
}

PartialShape LinearOperatorLowerTriangular::do_shape() const { return tril().shape(); }
Output LinearOperatorLowerTriangular::do_shape_tensor() { return rill::shape(tril()); }
Output LinearOperatorLowerTriangular::do_to_dense() { return raw::MatrixBandPart(tril(), -1, 0); }

Output LinearOperatorLowerTriangular::do_matmul(Output x, const Adjoints& a) {
  return rill::matmul(do_to_dense(), x, {.adjoint_a = a.adjoint, .adjoint_b = a.adjoint_arg});
}

Output LinearOperatorLowerTriangular::do_solve(Output rhs, const Adjoints& a) {
  if (a.adjoint_arg) rhs = linalg::adjoint(rhs);
  return triangular_solve(do_to_dense(), rhs, {.adjoint = a.adjoint});
}

Output LinearOperatorLowerTriangular::do_determinant() {
  return reduce_prod(linalg::diag_part(tril()), {.axis = last_axis()});
}
Output LinearOperatorLowerTriangular::do_log_abs_determinant() {
  const Output size = rill::abs(linalg::diag_part(tril()));
  return reduce_sum(raw::Log(size), {.axis = last_axis()});
}
Node& LinearOperatorLowerTriangular::do_assert_non_singular() {
  return assert_no_zeros(linalg::diag_part(tril()),
                         "Singular operator:  Diagonal contained zero values.");
}

OperatorRef LinearOperatorLowerTriangular::do_matmul_operator(const OperatorRef& left,
                                                              const OperatorRef& right) {
  const auto* diagonal = dynamic_cast<LinearOperatorDiag*>(right.get());
  if (diagonal == nullptr) return LinearOperator::do_matmul_operator(left, right);
  OperatorOptions hints = commuting_hints(*right, *left);
  hints.is_positive_definite = {};
  return std::make_shared<LinearOperatorLowerTriangular>(left->to_dense() * diagonal->diag(),
                                                         hints);
}

// --- Diag ----------------------------------------------------------------------------------------

LinearOperatorDiag::LinearOperatorDiag(const Input& diag, const OperatorOptions& options, At at) {
  const Block in(options.name, "LinearOperatorDiag", at);
  const Output x = as_tensor(diag, "diag");
  require_rank(x, 1, "diag");
  add_tensor("diag", x);
  OperatorHints hints = options;
  if (!is_complex(base_type(x.dtype()))) {
    require(hints.is_self_adjoint != false, "A real diagonal operator is always self adjoint.");
    hints.is_self_adjoint = true;
  }
  require(hints.is_square != false, "Only square diagonal operators currently supported.");
  hints.is_square = true;
  set_up(base_type(x.dtype()), hints, name_or(options, "LinearOperatorDiag"));
}

PartialShape LinearOperatorDiag::do_shape() const { return squared(diag().shape()); }
Output LinearOperatorDiag::do_shape_tensor() { return squared_shape_tensor(diag()); }

Output LinearOperatorDiag::do_matmul(Output x, const Adjoints& a) {
  const Output line = a.adjoint ? conj(diag()) : diag();
  if (a.adjoint_arg) x = linalg::adjoint(x);
  return expand_dims(line, -1) * x;
}
Output LinearOperatorDiag::do_matvec(Output x, const Adjoints& a) {
  return (a.adjoint ? conj(diag()) : diag()) * x;
}
Output LinearOperatorDiag::do_solve(Output rhs, const Adjoints& a) {
  const Output line = a.adjoint ? conj(diag()) : diag();
  if (a.adjoint_arg) rhs = linalg::adjoint(rhs);
  return rhs * expand_dims(1.0 / line, -1);
}

Output LinearOperatorDiag::do_determinant() { return reduce_prod(diag(), {.axis = last_axis()}); }
Output LinearOperatorDiag::do_log_abs_determinant() {
  const Output log = raw::Log(rill::abs(diag()));
  const Output sum = reduce_sum(log, {.axis = last_axis()});
  return is_complex(dtype()) ? cast(sum, dtype()) : sum;
}
Output LinearOperatorDiag::do_to_dense() { return linalg::diag(diag()); }
Output LinearOperatorDiag::do_add_to_tensor(Output x) {
  const Output old = linalg::diag_part(x);
  return set_diag(x, diag() + old);
}

Node& LinearOperatorDiag::do_assert_non_singular() {
  return assert_no_zeros(diag(), "Singular operator:  Diagonal contained zero values.");
}
Node& LinearOperatorDiag::do_assert_positive_definite() {
  return debugging::assert_positive(
      real(diag()),
      {.message = is_complex(dtype())
                      ? "Diagonal operator had diagonal entries with non-positive real part, thus "
                        "was not positive definite."
                      : "Real diagonal operator had non-positive diagonal entries, thus was not "
                        "positive definite."});
}
Node& LinearOperatorDiag::do_assert_self_adjoint() {
  return assert_zero_imag(
      diag(),
      "This diagonal operator contained non-zero imaginary values.   Thus it was not "
      "self-adjoint.");
}

OperatorRef LinearOperatorDiag::do_adjoint() {
  OperatorOptions same = options_of(hints());
  same.is_square = true;
  return std::make_shared<LinearOperatorDiag>(is_complex(dtype()) ? conj(diag()) : diag(), same);
}
OperatorRef LinearOperatorDiag::do_inverse() {
  OperatorOptions same = options_of(hints());
  same.is_square = true;
  return std::make_shared<LinearOperatorDiag>(1.0 / diag(), same);
}
OperatorRef LinearOperatorDiag::do_cholesky() {
  return std::make_shared<LinearOperatorDiag>(raw::Sqrt(diag()),
                                              OperatorOptions{true, true, true, true, ""});
}

OperatorRef LinearOperatorDiag::do_matmul_operator(const OperatorRef& left,
                                                   const OperatorRef& right) {
  const auto* ours = dynamic_cast<LinearOperatorDiag*>(left.get());
  OperatorOptions hints = commuting_hints(*left, *right);
  if (ours != nullptr) {
    if (const auto* other = dynamic_cast<LinearOperatorDiag*>(right.get()))
      return std::make_shared<LinearOperatorDiag>(ours->diag() * other->diag(), hints);
    if (const auto* other = dynamic_cast<LinearOperatorScaledIdentity*>(right.get()))
      return std::make_shared<LinearOperatorDiag>(ours->diag() * other->multiplier(), hints);
    if (dynamic_cast<LinearOperatorLowerTriangular*>(right.get()) != nullptr) {
      hints.is_positive_definite = {};
      const Output column = slice(ours->diag(), {Ellipsis{}, NewAxis{}});
      return std::make_shared<LinearOperatorLowerTriangular>(column * right->to_dense(), hints);
    }
  }
  return LinearOperator::do_matmul_operator(left, right);
}

OperatorRef LinearOperatorDiag::do_solve_operator(const OperatorRef& left,
                                                  const OperatorRef& right) {
  const auto* ours = dynamic_cast<LinearOperatorDiag*>(left.get());
  OperatorOptions hints = commuting_hints(*left, *right);
  if (ours != nullptr) {
    if (const auto* other = dynamic_cast<LinearOperatorDiag*>(right.get()))
      return std::make_shared<LinearOperatorDiag>(other->diag() / ours->diag(), hints);
    if (const auto* other = dynamic_cast<LinearOperatorScaledIdentity*>(right.get()))
      return std::make_shared<LinearOperatorDiag>(other->multiplier() / ours->diag(), hints);
    if (dynamic_cast<LinearOperatorLowerTriangular*>(right.get()) != nullptr) {
      hints.is_positive_definite = {};
      const Output dense = right->to_dense();
      return std::make_shared<LinearOperatorLowerTriangular>(
          dense / slice(ours->diag(), {Ellipsis{}, NewAxis{}}), hints);
    }
  }
  return LinearOperator::do_solve_operator(left, right);
}

// --- Householder ---------------------------------------------------------------------------------

LinearOperatorHouseholder::LinearOperatorHouseholder(const Input& reflection_axis,
                                                     const OperatorOptions& options, At at) {
  const Block in(options.name, "LinearOperatorHouseholder", at);
  const Output x = as_tensor(reflection_axis, "reflection_axis");
  require_rank(x, 1, "reflection_axis");
  add_tensor("reflection_axis", x);
  OperatorHints hints = options;
  require(hints.is_self_adjoint != false, "A Householder operator is always self adjoint.");
  require(hints.is_positive_definite != true,
          "A Householder operator is always non-positive definite.");
  require(hints.is_square != false, "A Householder operator is always square.");
  hints.is_self_adjoint = hints.is_square = true;
  hints.is_positive_definite = false;
  set_up(base_type(x.dtype()), hints, name_or(options, "LinearOperatorHouseholder"));
}

PartialShape LinearOperatorHouseholder::do_shape() const {
  return squared(tensor("reflection_axis").shape());
}
Output LinearOperatorHouseholder::do_shape_tensor() {
  return squared_shape_tensor(tensor("reflection_axis"));
}

Output LinearOperatorHouseholder::do_matmul(Output x, const Adjoints& a) {
  if (a.adjoint_arg) x = linalg::adjoint(x);
  const Output unit = math::l2_normalize(tensor("reflection_axis"), {.axis = Input(-1)});
  const Output column = slice(unit, {Ellipsis{}, NewAxis{}});
  const Output along = rill::matmul(column, x, {.adjoint_a = true});
  return Formula(x) - 2 * Formula(column) * along;
}
Output LinearOperatorHouseholder::do_solve(Output rhs, const Adjoints& a) {
  return answer(OperatorQuestion::kMatmul, rhs, a);
}

Output LinearOperatorHouseholder::do_determinant() {
  return raw::Neg(ones(Input(batch_shape_tensor()), {.dtype = dtype()}));
}
Output LinearOperatorHouseholder::do_log_abs_determinant() {
  return zeros(Input(batch_shape_tensor()), {.dtype = dtype()});
}

Output LinearOperatorHouseholder::do_to_dense() {
  const Output unit = math::l2_normalize(tensor("reflection_axis"), {.axis = Input(-1)});
  const Output column = slice(unit, {Ellipsis{}, NewAxis{}});
  const Output matrix = -2 * rill::matmul(column, column, {.adjoint_b = true});
  return set_diag(matrix, 1.0 + linalg::diag_part(matrix));
}

Output LinearOperatorHouseholder::do_diag_part() {
  const Output unit = math::l2_normalize(tensor("reflection_axis"), {.axis = Input(-1)});
  return 1.0 - 2 * Formula(unit) * Formula([=] { return conj(unit); });
}

Output LinearOperatorHouseholder::do_trace() {
  const Output dims = shape_tensor();
  const Output size = cast(domain_dim(dims) - 2, dtype());
  return size * ones(Input(batch_dims(dims)), {.dtype = dtype()});
}

Node& LinearOperatorHouseholder::do_assert_non_singular() {
  return no_op({.name = "assert_non_singular"});
}
Node& LinearOperatorHouseholder::do_assert_positive_definite() {
  throw debugging::FailedAssertion(Code::kInvalidArgument,
                                   "Householder operators are always non-positive definite.");
}
Node& LinearOperatorHouseholder::do_assert_self_adjoint() {
  return no_op({.name = "assert_self_adjoint"});
}

}  // namespace rill::linalg
