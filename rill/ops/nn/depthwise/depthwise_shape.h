#pragma once

#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {

// The shapes of a depthwise convolution: a filter [height, width, in, multiplier]
// makes `multiplier` channels of each.
ConvShapes depthwise_shapes(const Op& op, const AttrMap& attrs, const PartialShape& images,
                            const PartialShape& filter);

}  // namespace rill
