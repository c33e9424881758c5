#include "linalg_functions.h"

#include "call.h"
#include "rill/api/linalg/linalg.h"

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

constexpr Function kFunctions[] = {
    {"linalg.svd(tensor, full_matrices=False, compute_uv=True, name=None)", svd,
     "Singular values, and the vectors that belong to them."},
    {"linalg.eigh(tensor, name=None)", eigh,
     "Eigenvalues and eigenvectors of matrices that are their own adjoints."},
    {"linalg.eigvalsh(tensor, name=None)",
     [](const Call& c) { return give(linalg::eigvalsh(c.input("tensor"), {.name = c.name()})); },
     "Eigenvalues of matrices that are their own adjoints."},
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
};

}  // namespace

void bind_linalg_functions() { add_functions(kFunctions); }

}  // namespace rill::python
