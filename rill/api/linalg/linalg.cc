#include "rill/api/linalg/linalg.h"

#include "rill/api/gen/linalg.h"
#include "rill/api/math/casts.h"

namespace rill::linalg {

SvdResult svd(const Input& tensor, const SvdOptions& options, std::source_location at) {
  const auto parts =
      raw::Svd(tensor, {.full_matrices = options.full_matrices, .name = options.name}, at);
  return {real(parts.s, {}, at), parts.u, parts.v};
}

Output singular_values(const Input& tensor, const LinalgOptions& options, std::source_location at) {
  return real(raw::Svd(tensor, {.compute_uv = false, .name = options.name}, at).s, {}, at);
}

EighResult eigh(const Input& tensor, const LinalgOptions& options, std::source_location at) {
  const auto parts = raw::SelfAdjointEigV2(tensor, {.name = options.name}, at);
  return {parts.e, parts.v};
}

Output eigvalsh(const Input& tensor, const LinalgOptions& options, std::source_location at) {
  return raw::SelfAdjointEigV2(tensor, {.compute_v = false, .name = options.name}, at).e;
}

Output triangular_solve(const Input& matrix, const Input& rhs,
                        const TriangularSolveOptions& options, std::source_location at) {
  const Block in(options.name, "triangular_solve", at);
  return raw::MatrixTriangularSolve(matrix, rhs,
                                    {.lower = options.lower, .adjoint = options.adjoint});
}

Output cholesky_solve(const Input& chol, const Input& rhs, const LinalgOptions& options,
                      std::source_location at) {
  const Block in(options.name, "cholesky_solve", at);
  const Output half = raw::MatrixTriangularSolve(chol, rhs);
  return raw::MatrixTriangularSolve(chol, half, {.adjoint = true});
}

}  // namespace rill::linalg
