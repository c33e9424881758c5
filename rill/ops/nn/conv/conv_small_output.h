#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Whether a convolution goes from many channels to a few, as the last layer of an image-to-image
// network or the input gradient of a first layer. oneDNN computes sixteen channels where one is
// wanted.
bool has_small_output(const ConvProblem& problem);

// Such a convolution, forward, by loops of our own. The filter is [window, in, out] or, where it is
// turned, [window, out, in]. `done` is told of results.
void conv_small_output(const KernelCall& call, const ConvProblem& problem, const float* images,
                       const float* filter, bool is_turned, float* results, const RangeDone& done);

}  // namespace rill
