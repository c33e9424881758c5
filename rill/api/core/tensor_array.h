#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/graph/tensor_array_builder.h"

namespace rill {

// A list of tensors that a step writes and reads by position, in the default graph. What writes
// returns a new TensorArray, which stands for the array after the write; reads through an older one
// may see the array before it. Loops carry its flow(): inside the body, with_flow() makes the array
// of the variable.
//
//   TensorArray ta(float32, 3);
//   ta = ta.write(0, x).write(1, y).write(2, z);
//   Output all = ta.stack();   // [3, shape of x]
//
// An element is written once and, unless clear_after_read is false, read once: the step fails with
// InvalidArgument otherwise, and for an index beyond the size unless dynamic_size is set. Values of
// another type or, with infer_shape, another shape throw when the node is made.
class TensorArray {
 public:
  TensorArray(DType dtype, const Input& size, const TensorArrayOptions& options = {})
      : TensorArray(TensorArrayBuilder(current_scope(), dtype, size, options)) {}
  explicit TensorArray(TensorArrayBuilder array) : array_(std::move(array)) {}

  DType dtype() const { return array_.dtype(); }
  Output handle() const { return array_.handle(); }
  Output flow() const { return array_.flow(); }
  const PartialShape& element_shape() const { return array_.element_shape(); }
  TensorArray with_flow(Output flow) const {
    return TensorArray(array_.with_flow(current_scope(), flow));
  }

  Output read(const Input& index) const { return array_.read(current_scope(), index); }
  Output gather(const Input& indices) const { return array_.gather(current_scope(), indices); }
  // All elements along a new first dimension.
  Output stack() const { return array_.stack(current_scope()); }
  // All elements along their first dimension, in which they may differ.
  Output concat() const { return array_.concat(current_scope()); }
  Output size() const { return array_.size(current_scope()); }
  Node& close() const { return array_.close(current_scope()); }

  TensorArray write(const Input& index, const Input& value) const {
    return TensorArray(array_.write(current_scope(), index, value));
  }
  TensorArray scatter(const Input& indices, const Input& value) const {
    return TensorArray(array_.scatter(current_scope(), indices, value));
  }
  // Row i becomes element i.
  TensorArray unstack(const Input& value) const {
    return TensorArray(array_.unstack(current_scope(), value));
  }
  // Rows of `value`, lengths[i] of them as element i; the inverse of concat().
  TensorArray split(const Input& value, const Input& lengths) const {
    return TensorArray(array_.split(current_scope(), value, lengths));
  }
  // The array of this one's gradients; `source` tells those of several gradients() apart.
  TensorArray grad(const std::string& source) const {
    return TensorArray(array_.grad(current_scope(), source, array_.flow()));
  }
  TensorArray identity() const { return TensorArray(array_.identity(current_scope())); }

 private:
  TensorArrayBuilder array_;
};

}  // namespace rill
