#pragma once

#include <source_location>
#include <variant>

#include "rill/api/sparse/sparse_tensor.h"

// tf.sets: operations on the last dimensions of tensors, taken as sets.
namespace rill::sets {

using SetInput = std::variant<SparseTensor, Input>;

struct SetOptions {
  bool validate_indices = true;
  bool b_minus_a = false;  // of difference: b - a instead
};
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
