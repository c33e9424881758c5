#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"
#include "rill/ops/onednn/conv.h"

namespace rill {

// Whether a convolution has so few positions that bringing its filter into oneDNN's order takes
// longer than computing with it.
bool has_few_positions(const ConvProblem& problem);

// Whether a gradient is the product of two matrices as they stand: that of a large filter of a
// convolution of points, which oneDNN would add up from parts of its size.
bool is_plain_product(ConvWork work, const ConvProblem& problem);

// Such convolutions as one product: patches are gathered, the filter is used as it is. `images`,
// `filter` and `results` (or their gradients) are read or written as the work says.
void convolve_gathered(const KernelCall& call, ConvWork work, const ConvProblem& problem,
                       float* images, float* filter, float* results);

}  // namespace rill
