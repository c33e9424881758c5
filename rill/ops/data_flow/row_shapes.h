#pragma once

#include <algorithm>

#include "rill/tensor/shape.h"

namespace rill {

inline bool starts_with(const Shape& shape, const Shape& front) {
  return shape.rank() >= front.rank() &&
         std::ranges::equal(shape.dims().first(static_cast<std::size_t>(front.rank())),
                            front.dims());
}

// The dimensions from `from` on.
inline Shape rest_of(const Shape& shape, int from) {
  return Shape(shape.dims().subspan(static_cast<std::size_t>(from)));
}

// `rows` rows of shape `row`.
inline Shape rows_shape(std::int64_t rows, const Shape& row) {
  Shape shape{rows};
  for (const std::int64_t dim : row.dims()) shape.add_dim(dim);
  return shape;
}

}  // namespace rill
