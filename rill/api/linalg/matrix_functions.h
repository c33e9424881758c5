#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/linalg/linalg.h"

namespace rill::linalg {

// The logarithm of the determinant of matrices that are Hermitian and positive definite.
Output logdet(const Input& matrix, const LinalgOptions& options = {},
              std::source_location at = std::source_location::current());

// exp(matrix), by Padé's approximation of a matrix that was halved often enough. Throws
// InvalidArgument unless it is of floats or complex numbers.
Output expm(const Input& input, const LinalgOptions& options = {},
            std::source_location at = std::source_location::current());

struct MatrixRankOptions {
  std::optional<Input>
      tol{};  // singular values up to it count as zero; else by the type's precision
  bool validate_args = false;  // the step fails unless it is a matrix
  std::string name{};
};
// How many singular values of matrices are not zero.
Output matrix_rank(const Input& a, const MatrixRankOptions& options = {},
                   std::source_location at = std::source_location::current());

struct PinvOptions {
  std::optional<Input> rcond{};  // values up to it times the largest count as zero
  bool validate_args = false;
  std::string name{};
};
// Moore and Penrose's inverse.
Output pinv(const Input& a, const PinvOptions& options = {},
            std::source_location at = std::source_location::current());

}  // namespace rill::linalg
