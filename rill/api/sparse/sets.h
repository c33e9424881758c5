#pragma once

#include <source_location>
#include <variant>

#include "rill/api/sparse/sparse_tensor.h"

// tf.sets: operations on the last dimensions of tensors, taken as sets.
namespace rill::sets {

using SetInput = std::variant<SparseTensor, Input>;

// validate_indices: the step fails unless indices are in order.
struct SetOptions {
  bool validate_indices = true;
  bool b_minus_a = false;  // of difference: b - a instead
};
// The result is sparse and sorted; other dimensions of a and b must agree. Throw TypeError for
// types that sets do not have, and for a and b of two types.
//
//   sets::intersection(predicted, labels);  // {1, 2, 2} and {2, 3} give {2}
SparseTensor intersection(const SetInput& a, const SetInput& b, const SetOptions& options = {},
                          std::source_location at = std::source_location::current());
// a - b
SparseTensor difference(const SetInput& a, const SetInput& b, const SetOptions& options = {},
                        std::source_location at = std::source_location::current());
SparseTensor set_union(const SetInput& a, const SetInput& b, const SetOptions& options = {},
                       std::source_location at = std::source_location::current());
// The number of different elements of each set.
Output size(const SparseTensor& a, const SetOptions& options = {},
            std::source_location at = std::source_location::current());

}  // namespace rill::sets
