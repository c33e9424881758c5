#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// What is known of a sparse tensor while a graph is built; -1 is unknown.
struct SparseDims {
  std::int64_t count = kUnknownDim, rank = kUnknownDim;

  PartialShape indices() const { return {count, rank}; }
};

// Inputs i, i + 1 and i + 2 are indices, values and shape of a sparse tensor. Throws
// InvalidArgument when their shapes cannot be those of one.
SparseDims sparse_dims(const ShapeCtx& c, int i);
// The same for inputs that do not stand side by side.
SparseDims sparse_dims(const ShapeCtx& c, int indices, int values, int shape);

// Indices, values and shape of a sparse output of unknown length.
Shapes sparse_output(std::int64_t rank);

}  // namespace rill
