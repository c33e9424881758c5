#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/patches.h"
#include "rill/ops/onednn/conv.h"

namespace rill {

// The convolutions of convolve.h through oneDNN: images, or bands of their rows, are computed on
// one thread each. `images`, `filter` and `results` (or their gradients) are read or written as
// the work says. Returns nullptr when that is done, else why oneDNN is not taken and nothing was
// written.
const char* convolve_onednn(const KernelCall& call, ConvWork work, const ConvProblem& problem,
                            float* images, float* filter, float* results);

}  // namespace rill
