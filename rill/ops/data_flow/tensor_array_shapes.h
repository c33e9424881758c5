#pragma once

#include <initializer_list>

#include "rill/ops/resource/string_handle_shapes.h"

namespace rill {

// Shape functions that TensorArrays of versions 2 and 3 share, and parts of them. What elements
// look like is known of a resource alone: c.handle(0) is nullptr for version 2.

inline PartialShape behind(PartialShape front, const PartialShape& back) {
  if (!front.has_rank() || !back.has_rank()) return {};
  for (const std::int64_t dim : back.dims()) front.add_dim(dim);
  return front;
}

// Input 0 is a handle; every input in `scalars` is a scalar.
inline void check_array_inputs(const ShapeCtx& c, std::initializer_list<int> scalars) {
  check_string_handle(c, 0);
  for (const int i : scalars) c.scalar(i);
}

inline Shapes array_concat_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1});
  return {PartialShape(), PartialShape::of_rank(1)};
}

inline Shapes array_split_shape(const ShapeCtx& c) {
  check_array_inputs(c, {3});
  c.vector(2);
  return {PartialShape::scalar()};
}

inline Shapes array_size_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1});
  return {PartialShape::scalar()};
}

}  // namespace rill
