#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::linalg {

// Three diagonals of matrices, in one of the forms that TensorFlow takes them in.
//
//   linalg::tridiagonal_solve(linalg::Tridiagonal::compact(diagonals), rhs);
class Tridiagonal {
 public:
  // [..., 3, m]: the diagonal above, the main one, the one below; the last element of the first and
  // the first of the last are not looked at.
  static Tridiagonal compact(Input diagonals) { return {Form::kCompact, {std::move(diagonals)}}; }
  // The same three, each on its own; m - 1 elements will do for those above and below.
  static Tridiagonal sequence(Input above, Input main, Input below) {
    return {Form::kSequence, {std::move(above), std::move(main), std::move(below)}};
  }
  // [..., m, m], of which m must be known; elements elsewhere are not looked at.
  static Tridiagonal matrix(Input matrices) { return {Form::kMatrix, {std::move(matrices)}}; }

  // As [..., 3, m], and as three tensors [..., m]. Throws InvalidArgument when sizes do not fit.
  Output stacked() const;
  std::vector<Output> separate() const;

 private:
  enum class Form { kCompact, kSequence, kMatrix };
  Tridiagonal(Form form, std::vector<Input> parts) : form_(form), parts_(std::move(parts)) {}

  Form form_;
  std::vector<Input> parts_;
};

// partial_pivoting: rows are exchanged for accuracy. Without it the solution is faster and fails,
// or is poor, for matrices with small elements on the diagonal.
struct TridiagonalSolveOptions {
  bool transpose_rhs = false, conjugate_rhs = false;
  bool partial_pivoting = true;
  std::string name{};
};
// x with matrix x = rhs, in O(m); rhs is [..., m, k] or, with a dimension less, one vector [..., m]
// for each matrix, for which transpose_rhs is ignored; it has a rhs of [..., k, m] and the solution
// likewise. Throws InvalidArgument when shapes are known not to fit; a singular matrix fails the
// step.
Output tridiagonal_solve(const Tridiagonal& diagonals, const Input& rhs,
                         const TridiagonalSolveOptions& options = {},
                         std::source_location at = std::source_location::current());

struct TridiagonalMatmulOptions {
  std::string name{};
};
// matrix rhs with rhs [..., m, k], in O(m k).
Output tridiagonal_matmul(const Tridiagonal& diagonals, const Input& rhs,
                          const TridiagonalMatmulOptions& options = {},
                          std::source_location at = std::source_location::current());

}  // namespace rill::linalg
