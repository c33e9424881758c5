#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"
#include "rill/ops/onednn/conv.h"

namespace rill {

// Whether a convolution has so few output positions that packing its filter for oneDNN takes longer
// than computing with it.
bool has_few_positions(const ConvProblem& problem);

// Whether a gradient is a plain matrix product: the filter gradient of a large 1x1 convolution, for
// which oneDNN would add up partial sums of the filter's size.
bool is_plain_product(ConvWork work, const ConvProblem& problem);

// Such convolutions by im2col: patches of the images are gathered into a matrix and multiplied by
// the filter, which needs no packing. `images`, `filter` and `results` (or their gradients) are
// read or written as the work says.
void conv_im2col(const KernelCall& call, ConvWork work, const ConvProblem& problem, float* images,
                 float* filter, float* results);

}  // namespace rill
