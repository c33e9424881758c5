#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Whether a convolution is one of many channels to a few, as the last one of a network for images,
// or the gradient of the first one's images. oneDNN computes sixteen results where one is wanted.
bool has_few_results(const ConvProblem& problem);

// Such a convolution, forward, by loops of our own. The filter is [window, in, out] or, where it is
// turned, [window, out, in]. `done` is told of results.
void convolve_few_results(const KernelCall& call, const ConvProblem& problem, const float* images,
                          const float* filter, bool is_turned, float* results,
                          const RangeDone& done);

}  // namespace rill
