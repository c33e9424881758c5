#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {
namespace linalg {

struct LstsqOptions {
  Input l2_regularizer = 0.0;  // what |x|**2 costs
  bool fast = true;            // by the normal equations; false: by an orthogonal decomposition
  std::string name{};
};
// x for which |matrix * x - rhs| is smallest, and |x| among those. Throws Unimplemented for
// complex128 with a regularizer, as TensorFlow does.
Output lstsq(const Input& matrix, const Input& rhs, const LstsqOptions& options = {},
             std::source_location at = std::source_location::current());

}  // namespace linalg

inline constexpr auto& matrix_solve_ls = linalg::lstsq;

}  // namespace rill
