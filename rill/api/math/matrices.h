#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"

namespace rill {

struct EyeOptions {
  OptionalInput num_columns{};  // as many as rows when absent
  OptionalInput batch_shape{};  // a vector: so many matrices
  DType dtype = DType::f32;
  std::string name{};
};
// Matrices with ones on their main diagonals and zeros elsewhere. Throws InvalidArgument for sizes
// that are known and negative or no single numbers.
//
//   eye(2, {.num_columns = 3});  // [[1, 0, 0], [0, 1, 0]]
Output eye(const Input& num_rows, const EyeOptions& options = {},
           std::source_location at = std::source_location::current());

namespace linalg {
using rill::eye;

// The conjugates of matrices, transposed.
Output adjoint(const Input& matrix, const MathOptions& options = {},
               std::source_location at = std::source_location::current());
}  // namespace linalg

}  // namespace rill
