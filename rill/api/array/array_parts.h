#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::parts {

// What functions that are made of several nodes are made of. All build in current_scope().

// Numbers as constants of int32 (or, shortly before they become nodes, of the type that is wanted).
Input ints(std::vector<std::int64_t> values);
inline Input ints(std::initializer_list<std::int64_t> values) {
  return ints(std::vector<std::int64_t>(values));
}

// A list as Python's functions take it for a tensor: one constant if all items are values, else a
// Pack, with constants called after their position. Items may be such lists themselves. Throws
// InvalidArgument where items have different shapes or types.
Input list_of(std::vector<Input> items);

// The operators of tensors, under their names.
// As Python's + - * % make them: nodes "add", "sub", "mul", "mod".
Output plus(const Input& x, const Input& y);
Output minus(const Input& x, const Input& y);
Output times(const Input& x, const Input& y);
Output modulo(const Input& x, const Input& y);

// The shape of a tensor as functions ask for it that are made of others: a constant where it is
// known.
Output inner_shape(const Input& x, bool optimize = true);

// tf.cast: `x` itself where it has the type already.
Output cast_to(const Input& x, DType dtype);

// x[i], x[start:stop], with nothing for what is left out; x is a vector.
Output item(Output x, std::int64_t i);
Output range_of(Output x, std::optional<std::int64_t> start, std::optional<std::int64_t> stop);

// x, once the nodes have run.
Output after_nodes(const std::vector<Node*>& nodes, Output x);

// All dimensions of x, for a reduction over everything.
Output all_dimensions(Output x);

// What is known of an integer scalar before anything runs.
std::optional<std::int64_t> known_integer(const Input& value);

}  // namespace rill::parts
