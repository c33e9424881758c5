#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

struct LinalgOptions {
  std::string name;
};

namespace linalg {

struct SvdResult {
  Output s, u, v;  // singular values, largest first, and vectors: x = u diag(s) adjoint(v)
};
struct SvdOptions {
  bool full_matrices = false;
  std::string name;
};
SvdResult svd(const Input& tensor, const SvdOptions& options = {},
              std::source_location at = std::source_location::current());
Output singular_values(const Input& tensor, const LinalgOptions& options = {},
                       std::source_location at = std::source_location::current());

struct EighResult {
  Output values, vectors;  // values ascending
};
// Of matrices that are their own adjoints; only the lower half is read.
EighResult eigh(const Input& tensor, const LinalgOptions& options = {},
                std::source_location at = std::source_location::current());
Output eigvalsh(const Input& tensor, const LinalgOptions& options = {},
                std::source_location at = std::source_location::current());

struct TriangularSolveOptions {
  bool lower = true, adjoint = false;
  std::string name;
};
Output triangular_solve(const Input& matrix, const Input& rhs,
                        const TriangularSolveOptions& options = {},
                        std::source_location at = std::source_location::current());
// x with a x = rhs, where `chol` is Cholesky's factor of a.
Output cholesky_solve(const Input& chol, const Input& rhs, const LinalgOptions& options = {},
                      std::source_location at = std::source_location::current());

}  // namespace linalg

using linalg::cholesky_solve;
using linalg::svd;

}  // namespace rill
