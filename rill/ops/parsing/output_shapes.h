#pragma once

#include <vector>

#include "rill/base/error.h"
#include "rill/tensor/shape.h"

namespace rill {

// The shape of a dense feature: [?,2] is of variable length, rows of a known size.
inline bool is_variable_length(const PartialShape& shape) {
  return shape.has_rank() && shape.rank() > 0 && shape.dim(0) == kUnknownDim;
}

// What one value of a dense feature is made of: the whole shape, or a row where the length varies.
// Throws InvalidArgument, naming position i, for other unknown sizes.
inline Shape row_shape(const PartialShape& shape, std::size_t i) {
  const bool variable = is_variable_length(shape);
  const PartialShape row = variable ? PartialShape(shape.dims().subspan(1)) : shape;
  require(row.is_full(), "dense_shapes[", i,
          "] has unknown rank or unknown inner dimensions: ", shape);
  return row.full();
}

// `shape` behind one more dimension.
inline PartialShape behind(std::int64_t dim, const PartialShape& shape) {
  PartialShape all{dim};
  for (const std::int64_t d : shape.dims()) all.add_dim(d);
  return all;
}
inline Shape behind(std::int64_t dim, const Shape& shape) {
  Shape all{dim};
  for (const std::int64_t d : shape.dims()) all.add_dim(d);
  return all;
}

// `shape` with one more dimension behind; unknown where its rank is.
inline PartialShape with_last_dim(const PartialShape& shape, std::int64_t dim) {
  return shape.has_rank() ? shape.with_dim(shape.rank(), dim) : PartialShape();
}

// The shapes of `count` sparse tensors of one rank, whose indices, values and shapes stand
// together.
inline void add_sparse(std::vector<PartialShape>& shapes, std::size_t count, std::int64_t rank) {
  shapes.insert(shapes.end(), count, PartialShape{kUnknownDim, rank});
  shapes.insert(shapes.end(), count, PartialShape{kUnknownDim});
  shapes.insert(shapes.end(), count, PartialShape{rank});
}

}  // namespace rill
