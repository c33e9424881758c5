#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {
namespace linalg {

// Options of lstsq. `fast` has a second limit: matrices of known shape that together exceed 256 kB
// and whose batch is larger than their smaller side take the op as well, because many small
// factorizations cost more as separate nodes.
struct LstsqOptions {
  Input l2_regularizer = 0.0;  // what |x|**2 costs
  bool fast = true;            // by the normal equations; false: by an orthogonal decomposition
  std::string name{};
};
// x for which |matrix x - rhs|**2 + l2_regularizer |x|**2 is smallest; among equals the shortest x.
// `matrix` is [..., m, n], `rhs` [..., m, k], the result [..., n, k].
//
//   linalg::lstsq(a, b, {.l2_regularizer = 1e-3});
//
// With m >= n and `fast` it solves (a* a + l2 I) x = a* rhs by Cholesky's factor, else x = a* (a a*
// + l2 I)**-1 rhs. Where the sizes are not known a cond chooses in every step. The normal equations
// square the condition number: a matrix that is nearly rank-deficient needs a regularizer or fast =
// false. Throws Unimplemented for complex128 with a regularizer, as TensorFlow does, since its
// answers would be poor; a regularizer that is a tensor counts as one.
Output lstsq(const Input& matrix, const Input& rhs, const LstsqOptions& options = {},
             std::source_location at = std::source_location::current());

}  // namespace linalg

// TensorFlow's older name.
inline constexpr auto& matrix_solve_ls = linalg::lstsq;

}  // namespace rill
