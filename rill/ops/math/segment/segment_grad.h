#pragma once

#include "rill/graph/gradient_parts.h"

namespace rill {

// What the gradients of segment ops share.

// tf.ones(shape, type).
Output ones_of_shape(GradCtx& g, Output shape, DType type);

// The rows of `params` that `ids` name, with zeros where an id is negative. What was found out on
// the way may be handed in again: the ids with 0 for negative ones, and which rows count.
struct KeptRows {
  Output rows, places, kept;
};
KeptRows gather_kept(GradCtx& g, Output params, Output ids, Output places = {}, Output kept = {});

}  // namespace rill
