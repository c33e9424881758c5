#pragma once

#include "rill/api/sparse/sparse_ops.h"

namespace rill::sparse {

// What tf.shape, tf.size, tf.rank and tf.cast make of sparse tensors.
struct FactOptions {
  DType out_type = DType::i32;
  std::string name = {};
};
// dense_shape as out_type.
Output shape(const SparseTensor& input, const FactOptions& options = {},
             std::source_location at = std::source_location::current());
// How many elements the whole has, zeros too.
Output size(const SparseTensor& input, const FactOptions& options = {},
            std::source_location at = std::source_location::current());
Output rank(const SparseTensor& input, const NamedOptions& options = {},
            std::source_location at = std::source_location::current());
// The values cast; indices and shape stay the same tensors.
SparseTensor cast(const SparseTensor& input, DType dtype, const NamedOptions& options = {},
                  std::source_location at = std::source_location::current());

}  // namespace rill::sparse
