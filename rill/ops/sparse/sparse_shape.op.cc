#include "rill/ops/sparse/sparse_shape.h"

namespace rill {

SparseDims sparse_dims(const ShapeCtx& c, int indices, int values, int shape) {
  const PartialShape places = c.with_rank(indices, 2);
  const std::int64_t value_count = c.vector(values).dim(0), rank = c.vector(shape).dim(0);
  require(compatible(places.dim(0), value_count), "Number of elements in indices (", places.dim(0),
          ") and values (", value_count, ") do not match");
  require(compatible(places.dim(1), rank), "Index rank (", places.dim(1), ") and shape rank (",
          rank, ") do not match");
  return {merge_dim(places.dim(0), value_count), merge_dim(places.dim(1), rank)};
}

SparseDims sparse_dims(const ShapeCtx& c, int i) { return sparse_dims(c, i, i + 1, i + 2); }

Shapes sparse_output(std::int64_t rank) { return {{kUnknownDim, rank}, {kUnknownDim}, {rank}}; }

}  // namespace rill
