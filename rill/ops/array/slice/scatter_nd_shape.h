#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Throws InvalidArgument unless `updates` can go to the places in `target` that the rows of
// `indices` name, as far as the shapes are known.
void check_scatter_nd(const PartialShape& indices, const PartialShape& updates,
                      const PartialShape& target);

}  // namespace rill
