#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Whether a convolution is one of images of one channel, as the first one of a network for digits
// or sounds. oneDNN is slow with these; with three channels it is as quick as such loops.
bool has_one_channel(const ConvProblem& problem);

// Such a convolution, forward, by loops of our own. `done` is told of results.
void conv_one_channel(const KernelCall& call, const ConvProblem& problem, const float* images,
                      const float* filter, float* results, const RangeDone& done = nullptr);

}  // namespace rill
