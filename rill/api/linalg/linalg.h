#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

// Decompositions and solvers for [..., m, n]: the last two dimensions are a matrix, those before
// them a batch. Shapes that cannot fit throw InvalidArgument when the node is made; a matrix that
// turns out singular or not positive definite fails the step with InvalidArgument.
struct LinalgOptions {
  std::string name = {};
};

namespace linalg {

struct SvdResult {
  // Singular values, largest first and real, and vectors: x = u diag(s) adjoint(v).
  Output s = {}, u = {}, v = {};
};
// full_matrices: u is [..., m, m] and v [..., n, n], instead of their first min(m, n) columns.
struct SvdOptions {
  bool full_matrices = false;
  std::string name = {};
};
// The order s, u, v is TensorFlow's, not numpy's u, s, v*; v is not transposed either.
//
//   const auto [s, u, v] = linalg::svd(x);
//   Output again = matmul(u, matmul(linalg::diag(s), v, {.adjoint_b = true}));
SvdResult svd(const Input& tensor, const SvdOptions& options = {},
              std::source_location at = std::source_location::current());
// svd(tensor).s, [..., min(m, n)], without the work of the vectors.
Output singular_values(const Input& tensor, const LinalgOptions& options = {},
                       std::source_location at = std::source_location::current());

struct EighResult {
  Output values = {}, vectors = {};  // values ascending
};
// Eigenvalues and, as columns, eigenvectors of matrices that are their own adjoints: tensor =
// vectors diag(values) vectors*. Only the lower half is read, so that a matrix that is not its own
// adjoint gives an answer and no error.
EighResult eigh(const Input& tensor, const LinalgOptions& options = {},
                std::source_location at = std::source_location::current());
// eigh(tensor).values alone.
Output eigvalsh(const Input& tensor, const LinalgOptions& options = {},
                std::source_location at = std::source_location::current());

// lower: the half that is read; the other may hold anything. adjoint: solves matrix* x = rhs.
struct TriangularSolveOptions {
  bool lower = true, adjoint = false;
  std::string name = {};
};
// x with matrix x = rhs by substitution. `matrix` is [..., m, m], `rhs` [..., m, k]. A zero on the
// diagonal fails the step.
Output triangular_solve(const Input& matrix, const Input& rhs,
                        const TriangularSolveOptions& options = {},
                        std::source_location at = std::source_location::current());
// x with a x = rhs, where `chol` is Cholesky's lower factor of a: two triangular solves. One factor
// serves many right-hand sides.
//
//   linalg::cholesky_solve(raw::Cholesky(a), rhs);
Output cholesky_solve(const Input& chol, const Input& rhs, const LinalgOptions& options = {},
                      std::source_location at = std::source_location::current());

}  // namespace linalg

using linalg::cholesky_solve;
using linalg::svd;

}  // namespace rill
