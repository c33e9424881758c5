#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/linalg/linalg.h"

namespace rill::linalg {

// log(det(matrix)) as 2 sum(log(diag(L))), L Cholesky's factor: no overflow where det would have
// one. The matrices must be Hermitian and positive definite, or the step fails.
Output logdet(const Input& matrix, const LinalgOptions& options = {},
              std::source_location at = std::source_location::current());

// exp(matrix) = sum of matrix**k / k!, by Padé's approximation of a matrix that was halved often
// enough, squared as often afterwards. Throws InvalidArgument unless it is of floats or complex
// numbers and has a rank of 2 or more.
Output expm(const Input& input, const LinalgOptions& options = {},
            std::source_location at = std::source_location::current());

// The default `tol` is epsilon * max(m, n) * the largest singular value, as numpy's.
struct MatrixRankOptions {
  OptionalInput tol{};  // singular values up to it count as zero; else by the type's precision
  bool validate_args = false;  // the step fails unless it is a matrix
  std::string name{};
};
// How many singular values exceed `tol`, as int32 of the batch's shape. Throws TypeError unless `a`
// is of floats, InvalidArgument when its rank is known to be below 2.
Output matrix_rank(const Input& a, const MatrixRankOptions& options = {},
                   std::source_location at = std::source_location::current());

// The default `rcond` is 10 * max(m, n) * epsilon; it may be a tensor of the batch's shape.
struct PinvOptions {
  OptionalInput rcond{};  // values up to it times the largest count as zero
  bool validate_args = false;
  std::string name{};
};
// Moore and Penrose's inverse v diag(1 / s) u*, in which small s count as infinite; [..., n, m].
// For a matrix of full rank it is the inverse, or the one that least squares needs. Fails as
// matrix_rank does.
Output pinv(const Input& a, const PinvOptions& options = {},
            std::source_location at = std::source_location::current());

}  // namespace rill::linalg
