#include "linalg_functions.h"

#include "call.h"
#include "errors.h"
#include "rill/api/linalg/least_squares.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/linalg/matrix_functions.h"
#include "rill/api/linalg/tridiagonal.h"

namespace rill::python {
namespace {

nb::object svd(const Call& c) {
  if (!c.flag("compute_uv"))
    return give(linalg::singular_values(c.input("tensor"), {.name = c.name()}));
  const auto parts =
      linalg::svd(c.input("tensor"), {.full_matrices = c.flag("full_matrices"), .name = c.name()});
  return nb::make_tuple(give(parts.s), give(parts.u), give(parts.v));
}

nb::object eigh(const Call& c) {
  const auto parts = linalg::eigh(c.input("tensor"), {.name = c.name()});
  return nb::make_tuple(give(parts.values), give(parts.vectors));
}

linalg::Tridiagonal diagonals_of(const Call& c) {
  const std::string format = c.text("diagonals_format");
  if (format == "compact") return linalg::Tridiagonal::compact(c.input("diagonals"));
  if (format == "matrix") return linalg::Tridiagonal::matrix(c.input("diagonals"));
  if (format != "sequence") value_error("Unrecognized diagonals_format: ", format);
  const nb::handle list = c["diagonals"];
  const bool is_list = PyList_Check(list.ptr()) || PyTuple_Check(list.ptr());
  if (!is_list || nb::len(list) != 3)
    value_error("Expected diagonals to be a sequence of length 3.");
  const std::vector<Input> parts = c.inputs("diagonals");
  return linalg::Tridiagonal::sequence(parts[0], parts[1], parts[2]);
}

nb::object tridiagonal_solve(const Call& c) {
  return give(linalg::tridiagonal_solve(diagonals_of(c), c.input("rhs"),
                                        {.transpose_rhs = c.flag("transpose_rhs"),
                                         .conjugate_rhs = c.flag("conjugate_rhs"),
                                         .partial_pivoting = c.flag("partial_pivoting"),
                                         .name = c.name()}));
}

constexpr Function kFunctions[] = {
    {"linalg.svd(tensor, full_matrices=False, compute_uv=True, name=None)", svd,
     "Singular values, and the vectors that belong to them."},
    {"linalg.eigh(tensor, name=None)", eigh,
     "Eigenvalues and eigenvectors of matrices that are their own adjoints."},
    {"linalg.eigvalsh(tensor, name=None)",
     [](const Call& c) { return give(linalg::eigvalsh(c.input("tensor"), {.name = c.name()})); },
     "Eigenvalues of matrices that are their own adjoints."},
    {"linalg.lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None)",
     [](const Call& c) {
       return give(linalg::lstsq(c.input("matrix"), c.input("rhs"),
                                 {.l2_regularizer = c.operand("l2_regularizer"),
                                  .fast = c.flag("fast"),
                                  .name = c.name()}));
     },
     "Solves systems of equations as well as can be."},
    {"linalg.triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None)",
     [](const Call& c) {
       return give(linalg::triangular_solve(
           c.input("matrix"), c.input("rhs"),
           {.lower = c.flag("lower"), .adjoint = c.flag("adjoint"), .name = c.name()}));
     },
     "Solves systems of equations whose matrix is a triangle."},
    {"linalg.cholesky_solve(chol, rhs, name=None)",
     [](const Call& c) {
       return give(linalg::cholesky_solve(c.input("chol"), c.input("rhs"), {.name = c.name()}));
     },
     "Solves systems of equations, given Cholesky's factor of the matrix."},
    {"linalg.logdet(matrix, name=None)",
     [](const Call& c) { return give(linalg::logdet(c.input("matrix"), {.name = c.name()})); },
     "The logarithm of the determinant of positive definite matrices."},
    {"linalg.expm(input, name=None)",
     [](const Call& c) { return give(linalg::expm(c.input("input"), {.name = c.name()})); },
     "The exponential of matrices."},
    {"linalg.matrix_rank(a, tol=None, validate_args=False, name=None)",
     [](const Call& c) {
       return give(linalg::matrix_rank(c.operand("a"), {.tol = c.optional_input("tol"),
                                                        .validate_args = c.flag("validate_args"),
                                                        .name = c.name()}));
     },
     "How many singular values of matrices are not zero."},
    {"linalg.pinv(a, rcond=None, validate_args=False, name=None)",
     [](const Call& c) {
       return give(linalg::pinv(c.input("a"), {.rcond = c.optional_input("rcond"),
                                               .validate_args = c.flag("validate_args"),
                                               .name = c.name()}));
     },
     "The inverse of matrices that need not have one, as Moore and Penrose defined it."},
    {"linalg.tridiagonal_solve(diagonals, rhs, diagonals_format='compact', transpose_rhs=False, "
     "conjugate_rhs=False, name=None, partial_pivoting=True)",
     tridiagonal_solve, "Solves systems of equations of matrices with three diagonals."},
    {"linalg.tridiagonal_matmul(diagonals, rhs, diagonals_format='compact', name=None)",
     [](const Call& c) {
       return give(linalg::tridiagonal_matmul(diagonals_of(c), c.input("rhs"), {.name = c.name()}));
     },
     "Products of matrices with three diagonals and others."},
};

}  // namespace

void bind_linalg_functions() { add_functions(kFunctions); }

}  // namespace rill::python
