#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rill/graph/scope.h"

namespace rill {

// Small pieces of graph that gradients and control flow are made of, with the names and shortcuts
// that TensorFlow's Python functions of these names use.

// tf.shape: a constant where the static shape is full.
Output shape_of(Scope& scope, Output x, std::string_view name = "Shape",
                DType out_type = DType::i32);
// The shape of the variable behind a handle: a constant where it is known.
Output variable_shape(Scope& scope, Output handle, DType out_type = DType::i32);
// tf.zeros_like(optimize=False), also for resource handles (zeros of the variable's shape).
Output zeros_like(Scope& scope, Output x, std::string_view name = "zeros_like");
Output fill(Scope& scope, Output dims, Output value, std::string_view name = "Fill");
// tf.add_n: the tensor itself when there is only one.
Output add_n(Scope& scope, std::span<const Output> terms, std::string_view name = "AddN");
// tf.concat along the first dimension: Identity of a single tensor.
Output concat_rows(Scope& scope, std::span<const Output> parts, std::string_view name = "concat");
Output cast(Scope& scope, Output x, DType dtype, std::string_view name = "Cast");
Output identity(Scope& scope, Output x, std::string_view name = "Identity");
// tf.zeros: a constant where the shape is known and small.
Output zeros(Scope& scope, Output shape, DType dtype, std::string_view name = "zeros");
Output zeros(Scope& scope, const Shape& shape, DType dtype, std::string_view name = "zeros");
// x[start:stop] of a vector, or x[start] when `stop` is start + 1 and `drop` is set; a start or
// stop that is missing takes everything.
Output strided_slice(Scope& scope, Output x, std::optional<int> start, std::optional<int> stop,
                     bool drop = false);
// tf.group: a NoOp that waits for all, one per device joined by another.
Node& group(Scope& scope, std::span<Node* const> nodes, std::string_view name = "group_deps");

}  // namespace rill
