#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// The shapes that the node states of its elements in output_shapes.
Shapes stated_element_shapes(const ShapeCtx& c);

}  // namespace rill
