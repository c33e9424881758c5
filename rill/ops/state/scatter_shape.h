#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Updates are one slice of the variable for each index, or a scalar for all. Throws InvalidArgument
// when the shapes cannot be such.
void check_scatter_shapes(const PartialShape& variable, const PartialShape& indices,
                          const PartialShape& updates);

}  // namespace rill
