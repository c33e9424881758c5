#pragma once

#include "rill/graph/gradient_parts.h"

namespace rill {

// What gradients of matrix functions are written with.

enum class Turn : bool { kNone, kAdjoint };

inline Output matmul(GradCtx& g, Output a, Output b, Turn turn_a = Turn::kNone,
                     Turn turn_b = Turn::kNone) {
  return g.add("BatchMatMulV2", {a, b},
               {{"adj_x", turn_a == Turn::kAdjoint}, {"adj_y", turn_b == Turn::kAdjoint}},
               "MatMul");
}

inline Output adjoint(GradCtx& g, Output x) {
  const char* const op =
      kComplexTypes.contains(base_type(x.dtype())) ? "ConjugateTranspose" : "Transpose";
  if (x.shape().has_rank()) {
    const int rank = x.shape().rank();
    std::vector<std::int64_t> perm;
    for (int i = 0; i < rank; ++i) perm.push_back(i);
    std::swap(perm[static_cast<std::size_t>(rank - 2)], perm[static_cast<std::size_t>(rank - 1)]);
    return g.add(op, {x, int_vector(perm)}, {}, "matrix_transpose");
  }
  const Output rank = rank_of(g, x);
  const Output before = range(g, 0, sub(g, rank, 2), 1);
  const Output last = expand_dims(g, sub(g, rank, 1), 0),
               but_last = expand_dims(g, sub(g, rank, 2), 0);
  return g.add(op, {x, concat(g, {before, last, but_last})}, {}, "matrix_transpose");
}

inline Output diag(GradCtx& g, Output x) { return g.add("MatrixDiag", {x}); }
inline Output diag_part(GradCtx& g, Output x) { return g.add("MatrixDiagPart", {x}); }
inline Output set_diag(GradCtx& g, Output x, Output diagonal) {
  return g.add("MatrixSetDiag", {x, diagonal});
}
inline Output lower_part(GradCtx& g, Output x) {
  return g.add("MatrixBandPart", {x, std::int64_t{-1}, std::int64_t{0}}, {}, "MatrixBandPart");
}
inline Output upper_part(GradCtx& g, Output x) {
  return g.add("MatrixBandPart", {x, std::int64_t{0}, std::int64_t{-1}}, {}, "MatrixBandPart");
}
inline Output scaled(GradCtx& g, Output x, double factor) {
  return mul(g, x, number(g, factor, x.dtype()));
}
inline Output half_diagonal(GradCtx& g, Output x) {
  return set_diag(g, x, scaled(g, diag_part(g, x), 0.5));
}
// Identity matrices of the size and number of the square matrices `x`.
inline Output identity_like(GradCtx& g, Output x) { return diag(g, ones_like(g, diag_part(g, x))); }
// 1 / x where x is not close to zero, and 0 at zero.
inline Output safe_reciprocal(GradCtx& g, Output x) {
  const Output square_up = add(g, mul(g, x, x), number(g, 1e-20, x.dtype()));
  return mul(g, x, reciprocal(g, square_up));
}
// [..., n] to [..., 1, n] and [..., n, 1].
inline Output as_row(GradCtx& g, Output x) { return expand_dims(g, x, -2); }
inline Output as_column(GradCtx& g, Output x) { return expand_dims(g, x, -1); }

inline Output solve_triangular(GradCtx& g, Output matrix, Output rhs, bool lower, bool is_adjoint) {
  return g.add("MatrixTriangularSolve", {matrix, rhs}, {{"lower", lower}, {"adjoint", is_adjoint}});
}

}  // namespace rill
