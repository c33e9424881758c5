#pragma once

#include "rill/ops/nn/conv/conv_shape.h"

// Convolutions of bytes with something after them: a bias, a sum, a rectifier, fewer bits.
namespace rill {

// Padding that `padding_list` gives for each side of each dimension replaces `padding`.
ConvShapes quantized_conv_shapes(const Op& op, const AttrMap& attrs, const PartialShape& images,
                                 const PartialShape& filter);
ConvShapes quantized_depthwise_shapes(const Op& op, const AttrMap& attrs,
                                      const PartialShape& images, const PartialShape& filter);

// The index of an argument among the inputs of an op without lists; -1 if there is none.
int input_named(const Op& op, std::string_view name);

// The results and their range, which has an end for each channel where the filter's has and the
// results are not requantised.
Shapes conv_with_shape(const ShapeCtx& c, const ConvShapes& shapes);

}  // namespace rill
