#pragma once

#include "rill/graph/shape_ctx.h"

// Shapes of results that come with the range their numbers stand for: two scalars, or a vector each
// with an element for every channel.
namespace rill {

// `result`, and a range of scalars; the inputs [first, end) are scalars, ends of ranges.
inline Shapes with_scalar_range(const ShapeCtx& c, PartialShape result, int first, int end) {
  for (int i = first; i < end; ++i) (void)c.scalar(i);
  return {std::move(result), PartialShape::scalar(), PartialShape::scalar()};
}
inline Shapes with_scalar_range(const ShapeCtx& c, PartialShape result, int first) {
  return with_scalar_range(c, std::move(result), first, c.input_count());
}

// One end of a range for all channels or one for each.
inline PartialShape range_end(const ShapeCtx& c, int input) {
  const PartialShape& shape = c.input(input);
  require(!shape.has_rank() || shape.rank() <= 1, "Shape must be at most rank 1 but is rank ",
          shape.rank());
  return shape;
}

}  // namespace rill
