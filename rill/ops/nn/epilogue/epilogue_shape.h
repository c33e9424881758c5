#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// The shape of a result after what attribute `epilogue` lists was done to it. Its steps take
// arguments from input `first_arg` on: BiasAdd and Mul a vector by channel (the last dimension),
// FusedBatchNorm four (scale, offset, mean, variance), Add a tensor that broadcasts; activations
// none. Throws InvalidArgument when an argument does not fit, Unimplemented for another step.
PartialShape epilogue_shape(const ShapeCtx& c, PartialShape result, int first_arg);

// How many arguments a step takes; -1: there is no such step.
int epilogue_arg_count(const std::string& step);

}  // namespace rill
