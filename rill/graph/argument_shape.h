#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// What definitions say of their arguments, in the attributes that TensorFlow uses for that.

// The shape that `_output_shapes` tells; unknown without it.
PartialShape described_shape(const AttrMap& attrs);
// Output 0 is a handle of a variable of the type and shape that `_handle_dtypes` and
// `_handle_shapes` tell.
void describe_handle(const ShapeCtx& c);

}  // namespace rill
