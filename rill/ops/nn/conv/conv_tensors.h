#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {

// Convolves images with a filter to `out`, by the quickest way there is. Types may be narrower than
// what is computed with: float for half and bfloat16. Throws InvalidArgument when `out` has another
// shape.
void conv_tensors(const KernelCall& call, const ConvShapes& shapes, const Tensor& images,
                  const Tensor& filter, const Tensor& out);

}  // namespace rill
