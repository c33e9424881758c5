#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Input 0 surrounded by what input 1 says: a row for each dimension, how many before and after.
Shapes pad_shape(const ShapeCtx& c);

}  // namespace rill
