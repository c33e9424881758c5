#pragma once

#include "rill/graph/gradient_parts.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

// The element shape that input i states; the scalar -1 states nothing.
inline PartialShape stated_shape(const ShapeCtx& c, int i) {
  const PartialShape& shape = c.input(i);
  require(!shape.has_rank() || shape.rank() <= 1, "Shape must be at most rank 1 but is rank ",
          shape.rank());
  return c.shape_value(i);
}

// What is known of the elements of the list on input 0.
inline PartialShape known_element_shape(const ShapeCtx& c) {
  const HandleInfo* list = c.handle(0);
  return list == nullptr ? PartialShape() : list->shape;
}

inline void pass_list(const ShapeCtx& c) {
  if (const HandleInfo* list = c.handle(0)) c.set_output_handle(0, *list);
}

// Shapes behind the first dimension, and with one in front; unknown where that is not known.
inline PartialShape rest_of(const PartialShape& shape) {
  if (!shape.has_rank() || shape.rank() == 0) return {};
  return PartialShape(shape.dims().subspan(1));
}
inline PartialShape in_front(std::int64_t dim, const PartialShape& rest) {
  if (!rest.has_rank()) return {};
  PartialShape shape{dim};
  for (const std::int64_t d : rest.dims()) shape.add_dim(d);
  return shape;
}

// The op's element type must be the list's, as far as that is known.
inline void check_element_type(const ShapeCtx& c) {
  const auto dtype = c.attr<DType>("element_dtype");
  if (const HandleInfo* list = c.handle(0))
    require(list->dtype == dtype, "Expected list with element dtype ", dtype,
            " but got list with element dtype ", list->dtype);
}

// For gradients: the element type as an attribute, and what a list says of the shape of its
// elements.
inline AttrMap element_type(GradCtx& g) {
  return {{"element_dtype", g.attr<DType>("element_dtype")}};
}
inline Output element_shape_of(GradCtx& g, Output list) {
  return g.add("TensorListElementShape", {list}, {{"shape_type", DType::i32}});
}

// Zeros of the shape of x: a constant where the shape is known, as TensorFlow's Python makes them.
inline Output zeros_in_place_of(GradCtx& g, Output x) {
  const bool known = x.shape().is_full() && base_type(x.dtype()) != DType::variant;
  return known ? zeros(g.scope(), x.shape().full(), base_type(x.dtype()), "zeros_like")
               : zeros_like(g, x);
}

}  // namespace rill
