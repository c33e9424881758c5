#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/patches.h"

namespace rill {

// Whether a convolution is one of images of few channels, as the first one of a network: vectors of
// channels would be mostly empty, but windows see long runs of elements.
bool has_few_channels(const ConvProblem& problem);

// Such a convolution, forward, by loops of our own. `done` is told of results.
void convolve_few_channels(const KernelCall& call, const ConvProblem& problem, const float* images,
                           const float* filter, float* results, const RangeDone& done = nullptr);

}  // namespace rill
