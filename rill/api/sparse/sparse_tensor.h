#pragma once

#include <source_location>

#include "rill/api/core/default_graph.h"

namespace rill {

// A tensor of which only some elements are kept: values[i] stands at indices[i] of a tensor of
// shape `dense_shape`; all others are zeros. Three tensors in one; it is no tensor itself.
//
//   SparseTensor x(indices, values, dense_shape);
//   Output product = sparse::matmul(x, dense);
struct SparseTensorValue {
  Tensor indices = {}, values = {}, dense_shape = {};
};

// A tensor of which only some elements are kept: values[i] stands at indices[i] of a tensor of
// shape `dense_shape`; all others are zeros.
struct SparseTensor {
  Output indices = {};      // int64 [count, rank], in the order of rows
  Output values = {};       // [count]
  Output dense_shape = {};  // int64 [rank]
  PartialShape hint = {};   // what is known of the shape beyond what dense_shape tells

  SparseTensor() = default;
  // What is no tensor yet becomes a constant. Throws InvalidArgument when the parts do not fit
  // together.
  SparseTensor(const Input& indices, const Input& values, const Input& dense_shape,
               std::source_location at = std::source_location::current());
  explicit SparseTensor(const SparseTensorValue& value,
                        std::source_location at = std::source_location::current());

  DType dtype() const { return base_type(values.dtype()); }
  // What is known of the shape of the whole.
  PartialShape shape() const;
};

}  // namespace rill
