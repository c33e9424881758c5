#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Shapes around handles in their oldest form, which later ops kept stating: two strings, container
// and name.

inline PartialShape string_handle_shape() { return {2}; }
inline Shapes string_handle_output(const ShapeCtx&) { return {string_handle_shape()}; }

// Throws InvalidArgument unless input i can be such a handle.
inline void check_string_handle(const ShapeCtx& c, int i) {
  (void)merge_shapes(c.vector(i), string_handle_shape());
}

// Of ops whose only input is a handle.
inline Shapes scalar_of_string_handle(const ShapeCtx& c) {
  check_string_handle(c, 0);
  return {PartialShape::scalar()};
}
inline Shapes nothing_of_string_handle(const ShapeCtx& c) {
  check_string_handle(c, 0);
  return {};
}

}  // namespace rill
